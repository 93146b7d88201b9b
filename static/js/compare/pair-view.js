import { button } from "../shared/dom/button.js";
import { columnTicks, drawnSide, ticks } from "../shared/axis-labels.js";
import { colourOf, inkOn } from "../shared/colour-scale.js";
import { numberText, shapeText } from "../shared/format.js";
import { drawHeatmap } from "../shared/heatmap-view.js";
import { reachText } from "../shared/reach.js";
import { el } from "../shared/dom/elements.js";
import { differenceOf } from "./difference.js";
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/**
 * A tensor of one side: whose it is, its axes, its numbers; `side` in a word. `none`: what is said where there is none.
 * @typedef {{walk: Walk, dims: string[], tensor: Tensor|null, label: string, side: string, none: string}} Half
 * @typedef {{halves: Half[], theme: "light"|"dark", projector: boolean, width: number, first: number[]|null}} Shown
 *   `width`: what there is for both; `first`: the first cell in which they differ
 */

const CELL = { page: [56, 30], hall: [96, 52] };
/** The smallest that a number's cell is in a hall. */
const HALL_NUMBER = 150;
/** How high a label is, and how much larger it is in a hall. */
const LINE = 11;
const LARGER = 2.5;
const TALLEST = { page: 260, hall: 256 };
const NAMES = 46;
const GAP = 24;
const NARROW = 520;
/** Where three have room beside each other. */
const WIDE = 780;
/** Scales nearer to each other than this look the same. */
const ALIKE = 1.05;
const NONE = { given: "not given here", forward: "no such line here", backward: "no such gradient here" };

/**
 * Two tensors of the same name, each with its numbers, on one scale or each on its own.
 * @param {HTMLElement} root
 */
export function mountPair(root) {
  /** @type {Shown|null} */
  let shown = null;
  const own = button({ class: "link own-scale", "aria-pressed": "false" }, turn, "each on its own scale");
  const maps = el("div", { class: "tensor-maps" });
  root.replaceChildren(maps, own);

  function turn() {
    own.setAttribute("aria-pressed", String(own.getAttribute("aria-pressed") !== "true"));
    if (shown) update(shown);
  }

  /** @param {Shown} next */
  function update(next) {
    shown = next;
    const peaks = next.halves.map(({ tensor }) => tensor?.stats.maxAbs ?? 0);
    const most = Math.max(...peaks);
    own.hidden = next.halves.some(({ tensor }) => !tensor) || most <= ALIKE * Math.min(...peaks);
    const each = !own.hidden && own.getAttribute("aria-pressed") === "true";
    const apart = apartOf(next);
    const inOneRow = apart !== null && next.width >= WIDE;
    maps.classList.toggle("three", inOneRow);
    const figures = next.halves.map((half, i) => figure(half, each ? peaks[i] : most, next, inOneRow ? 3 : 2));
    if (apart) figures.push(figure(apart, apart.tensor?.stats.maxAbs ?? 0, { ...next, first: null }, inOneRow ? 3 : 2));
    maps.replaceChildren(...figures);
  }
  return { update, unmount: () => root.replaceChildren() };
}

/**
 * @param {Walk[]} walks @param {import("./moments.js").Moment} moment @param {string[]} labels
 * @returns {Half[]} what both sides have of it by then
 */
export function halvesAt(walks, { part, variable, steps }, labels) {
  return walks.map((walk, i) => {
    const step = steps[i];
    const node = [...walk.nodes.values()].find((one) => one.variable === variable);
    const half = {
      walk,
      dims: node?.dims ?? [],
      side: labels[i],
      label: `${part === "backward" ? "d" : ""}${variable} ${labels[i]}`,
    };
    if (!node || (part !== "given" && step === null)) return { ...half, tensor: null, none: NONE[part] };
    if (part !== "backward") return { ...half, tensor: walk.tensor(node.value), none: "" };
    return { ...half, tensor: walk.gradientAt(node.name, step ?? 0).tensor, none: "It can’t be computed." };
  });
}

/** @param {Shown} shown @returns {Half|null} where they differ, and by how much; null where rounding is all there is */
function apartOf({ halves: [left, right], first }) {
  const tensor = first && differenceOf(left.tensor, right.tensor);
  return tensor ? { ...left, tensor, label: `${right.side} − ${left.side}`, none: "" } : null;
}

/** @param {Half} half @param {number} max @param {Shown} shown @param {number} beside how many are in its row */
function figure({ walk, dims, tensor, label, none }, max, shown, beside) {
  const caption = el("figcaption", {}, el("b", {}, label), tensor ? ` ${shapeText(tensor.whole)}` : "");
  if (!tensor) return el("figure", { class: "half" }, caption, el("p", { class: "half-none" }, none));
  const side = drawnSide(walk.document.labels, dims, tensor, "rows");
  const scale = shown.projector ? LARGER : 1;
  const gutter = side.count > 1 ? (NAMES * (1 + scale)) / 2 : 0;
  const size = sizeOf(tensor, shown, gutter, beside);
  return el(
    "figure",
    { class: "half" },
    caption,
    el(
      "div",
      { class: "half-body" },
      gutter ? rowNames(side, size.height, gutter, LINE * scale) : null,
      el(
        "div",
        { class: "half-map", style: `width:${size.width}px` },
        map(tensor, max, size, shown, label),
        columns(walk, dims, tensor, size.width, scale),
      ),
    ),
    el(
      "p",
      { class: "half-scale" },
      tensor.stats.broken ? brokenText(tensor) : tensor.size > 1 ? reachText(tensor) : "",
    ),
  );
}

/** @param {Tensor} tensor */
function brokenText({ stats, size }) {
  return `${stats.broken} of ${size} not finite`;
}

/** @param {number} width of all @param {number} beside @returns {number} of each: in a row, or one below the other */
function roomFor(width, beside) {
  return width < NARROW ? width : (width - (beside - 1) * GAP) / beside;
}

/** @param {Tensor} tensor @param {Shown} shown @param {number} gutter @param {number} beside */
function sizeOf({ grid: { rows, cols } }, { projector, width }, gutter, beside) {
  const [wide, tall] = projector ? CELL.hall : CELL.page;
  const most = projector ? TALLEST.hall : TALLEST.page;
  return {
    width: Math.max(24, Math.min(cols * wide, roomFor(width, beside) - gutter)),
    height: Math.max(tall, Math.min(rows * tall, most)),
  };
}

/**
 * @param {Tensor} tensor @param {number} max @param {{width: number, height: number}} size @param {Shown} shown
 * @param {string} label
 */
function map(tensor, max, size, { theme, first, projector }, label) {
  if (tensor.size === 1 && !tensor.codes) return single(tensor, max, theme);
  const canvas = el("canvas", { class: "heat", role: "img", "aria-label": `${label}, ${shapeText(tensor.whole)}` });
  const numbers = !projector || size.width / tensor.grid.cols >= HALL_NUMBER;
  drawHeatmap(canvas, tensor, { max, theme, ...size, numbers, ...(projector ? { type: 28 } : {}) });
  const at = first ? tensor.flatOf(first) : -1;
  return el("div", { class: "half-cells" }, canvas, at < 0 ? null : mark(tensor, at, size));
}

/** @param {Tensor} tensor @param {number} max @param {"light"|"dark"} theme */
function single(tensor, max, theme) {
  const colour = colourOf(tensor.data[0], max * 2, theme);
  const style = `background:rgb(${colour.join(",")});color:${inkOn(colour)}`;
  return el("div", { class: "scalar heat", style }, numberText(tensor.data[0]));
}

/** @param {Tensor} tensor @param {number} at @param {{width: number, height: number}} size */
function mark({ grid: { rows, cols } }, at, { width, height }) {
  const [across, down] = [width / cols, height / rows];
  const style = [
    `left:${((at % cols) * across).toFixed(1)}px`,
    `top:${(Math.floor(at / cols) * down).toFixed(1)}px`,
    `width:${Math.max(6, across).toFixed(1)}px`,
    `height:${Math.max(6, down).toFixed(1)}px`,
  ];
  return el("span", { class: "first-apart", style: style.join(";"), title: "the first cell that differs" });
}

/** @param {ReturnType<typeof drawnSide>} side @param {number} height @param {number} gutter @param {number} line */
function rowNames({ count, name, title }, height, gutter, line) {
  const placed = ticks(count, height, line).map((i) =>
    el("span", { style: `top:${(((i + 0.5) / count) * height).toFixed(1)}px` }, name(i)),
  );
  return el(
    "div",
    { class: "sheet-rows", "aria-hidden": "true", style: `width:${gutter}px;height:${height}px`, title },
    ...placed,
  );
}

/** @param {Walk} walk @param {string[]} dims @param {Tensor} tensor @param {number} width @param {number} scale */
function columns(walk, dims, tensor, width, scale) {
  const placed = columnTicks(walk.document.labels, dims, tensor, width / scale).map((tick) =>
    el("span", { style: `left:${(scale * tick.centre).toFixed(1)}px` }, tick.name),
  );
  return el("div", { class: "sheet-columns", "aria-hidden": "true" }, ...placed);
}
