import { columnTicks, drawnSide, ticks } from "../shared/axis-labels.js";
import { codesText } from "../shared/category-codes.js";
import { colourOf, inkOn } from "../shared/colour-scale.js";
import { numberText, shapeText } from "../shared/format.js";
import { drawHeatmap } from "../shared/heatmap-view.js";
import { reachText } from "../shared/reach.js";
import { gridOf } from "../shared/tensor.js";
import { el } from "../shared/dom/elements.js";
import { rootScale } from "../shared/dom/root-scale.js";
import { mountPickableCells } from "../lens/pickable-cells-view.js";
import { peakOf } from "../walk/picture-peak.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/pick.js").Subject} Subject */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("./figure-controller.js").Space} Space */
/** @typedef {import("./figure-controller.js").View} View */

/** Of a cell with its number, on a page and on a projector. */
const CELL = { page: [64, 34], hall: [112, 60] };
/** A number by itself is written with more digits: so many times wider than a cell. */
const SINGLE = 1.6;
const HALL = { type: 30 };
const LINE = 11;

/**
 * A tensor and nothing else: its cells with the names of rows and columns.
 * @param {HTMLElement} root @param {Space} space @param {import("../lens/pickable-cells-view.js").Acts} maps
 * @param {Subject[]} subjects several stand side by side @param {number} [largest] number of another picture on the
 *   same scale @returns {View}
 */
export function mountSheets(root, space, maps, subjects, largest = 0) {
  const cells = mountPickableCells(root, maps);
  return {
    update(frame) {
      const room = (space.width() - 24 * (subjects.length - 1)) / subjects.length;
      const drawn = subjects.flatMap(
        (subject) => sheetOf(frame, subject, { width: room, height: space.height() }, largest) ?? [],
      );
      const focused = cells.focused();
      root.replaceChildren(el("div", { class: "sheets" }, ...drawn.map(({ box }) => box)));
      cells.set(
        drawn.map(({ map }) => map),
        frame,
      );
      drawn.find(({ map }) => map.element.dataset.map === focused)?.map.element.focus({ preventScroll: true });
    },
    point: cells.point,
    answer: cells.answer,
    marks: cells.marks,
    unmount() {
      cells.unmount();
      root.replaceChildren();
    },
  };
}

/** @param {Frame} frame @param {Subject} subject @returns {Tensor|null} */
function tensorOf({ walk }, { tensor, of }) {
  const { value, gradient } = walk.node(tensor);
  if (of === "value") return walk.tensor(value);
  return gradient ? walk.tensor(gradient.manual) : null;
}

/**
 * @param {Frame} frame @param {Subject} subject @param {{width: number, height: number}} room
 * @param {number} largest that the colours have to reach
 */
function sheetOf(frame, subject, room, largest) {
  const tensor = tensorOf(frame, subject);
  if (!tensor) return null;
  const { walk, state } = frame;
  const { labels } = walk.document;
  const node = walk.node(subject.tensor);
  const { rows, cols } = gridOf(tensor.shape);
  const side = drawnSide(labels, node.dims, tensor, "rows");
  const names = side.count > 1 ? Array.from({ length: Math.min(side.count, 200) }, (_, i) => side.name(i)) : [];
  const gutter = names.length ? Math.min(110, Math.max(...names.map((name) => name.length)) * 6.6 + 14) : 0;
  const [wide, tall] = CELL[state.projector ? "hall" : "page"].map((size) => size * rootScale());
  const size = {
    width: Math.round(Math.max(14, Math.min(cols * (tensor.size === 1 ? SINGLE : 1) * wide, room.width - gutter))),
    height: Math.round(Math.max(14, Math.min(rows * tall, room.height))),
  };
  const name = `${subject.of === "value" ? "" : "d"}${node.variable}`;
  const about = `${subject.of} of ${node.variable}, ${shapeText(node.shape)}`;
  const words = `${about}; arrow keys pick a cell, Enter looks inside`;
  const element = el(
    "div",
    { class: "map", role: "group", tabindex: 0, "data-map": `${subject.of} ${subject.tensor}`, "aria-label": words },
    picture(frame, subject, tensor, size, largest),
  );
  const box = el(
    "div",
    { class: "sheet-of", "data-tensor": name },
    el("p", { class: "sheet-name" }, el("b", {}, name), ` ${shapeText(node.shape)}`),
    el(
      "div",
      { class: "sheet-body" },
      gutter ? sideNames(side, size.height, gutter) : null,
      el(
        "div",
        { class: "stage", style: `width:${size.width}px` },
        element,
        columnNames(frame, subject, tensor, size, largest),
      ),
    ),
  );
  return { box, map: { element, tensor, subject, stretch: null, dims: node.dims, ...size } };
}

/**
 * @param {Frame} frame @param {Subject} subject @param {Tensor} tensor @param {{width: number, height: number}} size
 * @param {number} largest
 */
function picture({ walk, state }, subject, tensor, size, largest) {
  const max = Math.max(peakOf(walk, subject, tensor, state.enlarged), largest);
  if (tensor.size === 1 && !tensor.codes) {
    const colour = colourOf(tensor.data[0], max * 2, state.theme);
    const style = `background:rgb(${colour.join(",")});color:${inkOn(colour)}`;
    return el("div", { class: "scalar heat", style }, numberText(tensor.data[0]));
  }
  const canvas = el("canvas", { class: "heat" });
  drawHeatmap(canvas, tensor, { max, theme: state.theme, ...size, numbers: true, ...(state.projector && HALL) });
  return canvas;
}

/** @param {ReturnType<typeof drawnSide>} side @param {number} height @param {number} gutter */
function sideNames({ count, name, title }, height, gutter) {
  const placed = ticks(count, height, LINE).map((i) =>
    el("span", { style: `top:${(((i + 0.5) / count) * height).toFixed(1)}px` }, name(i)),
  );
  const style = `width:${gutter}px;height:${height}px`;
  return el("div", { class: "sheet-rows", "aria-hidden": "true", style, title }, ...placed);
}

/**
 * @param {Frame} frame @param {Subject} subject @param {Tensor} tensor @param {{width: number}} size
 * @param {number} largest
 */
function columnNames({ walk }, { tensor: name }, tensor, { width }, largest) {
  const { dims } = walk.node(name);
  const placed = columnTicks(walk.document.labels, dims, tensor, width).map((tick) =>
    el("span", { style: `left:${tick.centre.toFixed(1)}px` }, tick.name),
  );
  const { rows, cols } = {
    rows: drawnSide({}, dims, tensor, "rows").title,
    cols: drawnSide({}, dims, tensor, "cols").title,
  };
  const axes = [rows && `↓ ${rows}`, cols && `→ ${cols}`, scaleText(tensor, largest)].filter(Boolean).join("   ");
  return el(
    "div",
    { "aria-hidden": "true" },
    el("div", { class: "sheet-columns" }, ...placed),
    axes ? el("p", { class: "sheet-axes" }, axes) : null,
  );
}

/**
 * @param {Tensor} tensor @param {number} largest
 * @returns {string} how far its numbers reach, where it has more than one; and whether its colours are those of others
 */
function scaleText(tensor, largest) {
  if (tensor.codes) return codesText(tensor);
  const reach = tensor.size > 1 ? reachText(tensor) : "";
  return largest ? `${reach}   the same scale in each` : reach;
}
