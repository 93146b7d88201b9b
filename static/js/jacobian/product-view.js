import { LOW } from "../evidence/chart-view.js";
import { ticks } from "../shared/axis-labels.js";
import { el } from "../shared/dom/elements.js";
import { grown, rootScale } from "../shared/dom/root-scale.js";
import { drawHeatmap } from "../shared/heatmap-view.js";
import { reachText } from "../shared/reach.js";
import { fitJacobian } from "./jacobian-layout.js";
import { heldIndex, sideNames } from "./jacobian.js";
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./jacobian-layout.js").Fit} Fit */
/** @typedef {import("./jacobian.js").Jacobian} Jacobian */
/** @typedef {{answer: Jacobian, matrix: Tensor, arriving: Tensor, result: Tensor}} Drawn */

const LONGEST = 8;
const DESK = {
  sign: 34,
  thin: 14,
  high: 128,
  tick: 11,
  slot: 64,
  glyph: 7.4,
  small: 6.7,
  cell: /** @type {[number, number]} */ ([58, 24]),
};
/** Beside a number that is open it makes itself small: what its labels need, and the least that is left. */
const AROUND = 94;
/** In a low window, where the charts are to stay in sight. */
const SHORT = 72;
const LEAST = 34;
const HALL = {
  sign: 72,
  thin: 26,
  high: 220,
  tick: 0,
  slot: 150,
  glyph: 17.5,
  small: 0,
  cell: /** @type {[number, number]} */ ([110, 44]),
};

/**
 * The three sheets of cells, with signs between them.
 * @param {HTMLElement} root @param {Frame} frame @param {Drawn} drawn @param {{width: number, height: number}} room
 * @returns {HTMLElement} the matrix, whose cells can be read
 */
export function drawProduct(root, frame, drawn, { width, height }) {
  const { answer, matrix, arriving, result } = drawn;
  const { rows, cols } = matrix.grid;
  const { labels } = frame.walk.document;
  const look = grown(
    frame.state.projector
      ? HALL
      : !frame.pick
        ? { ...DESK, high: LOW.matches ? SHORT : DESK.high }
        : { ...DESK, high: Math.max(LEAST, Math.min(DESK.high, height / rootScale() - AROUND)) },
  );
  const [rowNames, colNames] = [sideNames(labels, answer.rows), sideNames(labels, answer.columns)];
  const gutter = look.tick && rows > 1 ? 8 + 6.2 * Math.min(9, Math.max(...rowNames.map((name) => name.length))) : 0;
  const [above, below] = [answer.node, answer.input].map((name) => frame.walk.node(name).variable);
  const [held, of] = [heldIndex(answer.rows), heldIndex(answer.columns)];
  const names = [
    `d${above}${held}`,
    Math.max(above.length, below.length) === above.length ? `∂${above}` : `∂${below}`,
    `d${below}${of}`,
  ];
  const parts = [arriving, matrix, result];
  const slots = /** @type {[number, number, number]} */ (
    names.map((name, i) => {
      const words = Math.max(name.length * look.glyph + 10, captionOf(parts[i]).length * look.small);
      return Math.max(look.slot, words + (i === 1 ? gutter : 0));
    })
  );
  const fit = fitJacobian(rows, cols, { ...look, width, gutter, slots });
  const map = sheet("matrix", matrix, { width: cols * fit.x, height: rows * fit.y }, frame, fit);
  map.className += " product-map";
  for (const [name, value] of Object.entries({ tabindex: "0", role: "group", "data-part": "map" }))
    map.setAttribute(name, value);
  const head = Math.max(look.tick ? 16 : 0, 0);
  root.className = `product${fit.stacked ? " stacked" : ""}`;
  root.style.setProperty("--tall", `${Math.round(Math.max(look.thin, fit.bar, rows * fit.y))}px`);
  root.style.setProperty("--head", `${head}px`);
  root.style.setProperty("--gutter", `${fit.stacked ? gutter : 0}px`);
  root.replaceChildren(
    part(
      [names[0]],
      "arrives",
      arriving,
      sheet("arriving", arriving, { width: rows * fit.across, height: fit.bar }, frame, fit),
      [],
      slots[0] * fit.squeeze,
    ),
    sign("·"),
    part(
      [`∂${above}`, `∂${below}`],
      "local Jacobian",
      matrix,
      map,
      [colTicks(colNames, cols * fit.x, look.tick), rowTicks(rowNames, rows * fit.y, look.tick, gutter)],
      slots[1] * fit.squeeze,
      gutter,
    ),
    sign("="),
    part(
      [names[2]],
      answer.across ? "its own part" : "this path",
      result,
      sheet("result", result, { width: cols * fit.x, height: fit.bar }, frame, fit),
      [],
      slots[2] * fit.squeeze,
      0,
      true,
    ),
  );
  return map;
}

/** @param {Tensor} tensor */
function sizeOf({ shape }) {
  return shape.length === 1 ? `1 × ${shape[0]}` : shape.join(" × ");
}

/** @param {Tensor} tensor */
function captionOf(tensor) {
  return `${sizeOf(tensor)} ${reachText(tensor)}`;
}

/** @param {string} text */
function sign(text) {
  return el("div", { class: "product-sign", "aria-hidden": "true" }, el("span", {}, text));
}

/**
 * @param {string[]} name two stand as a fraction @param {string} role @param {Tensor} tensor
 * @param {HTMLElement} picture @param {(HTMLElement|null)[]} names @param {number} width @param {number} [gutter]
 * @param {boolean} [result]
 */
function part(name, role, tensor, picture, names, width, gutter = 0, result = false) {
  const { broken } = tensor.stats;
  return el(
    "div",
    {
      class: `product-part${result ? " is-result" : ""}${names.some(Boolean) ? " with-names" : ""}`,
      style: `--own-gutter:${gutter}px;--slot:${Math.floor(width)}px`,
    },
    el(
      "div",
      { class: "label" },
      ...name.map((one) => el("b", { title: one }, one)),
      name.length === 1 ? el("span", {}, role) : null,
    ),
    el("div", { class: "product-stage" }, ...names, picture),
    el(
      "div",
      { class: "caption" },
      sizeOf(tensor),
      el("span", {}, ` ${reachText(tensor)}`),
      broken ? el("span", { class: "broken" }, ` ${broken} not finite`) : null,
    ),
  );
}

/**
 * @param {string} name @param {Tensor} tensor @param {{width: number, height: number}} size @param {Frame} frame
 * @param {Fit} fit
 */
function sheet(name, tensor, size, frame, fit) {
  const box = { width: Math.max(fit.bar, Math.floor(size.width)), height: Math.max(fit.bar, Math.floor(size.height)) };
  const { rows, cols } = tensor.grid;
  const canvas = el("canvas", {
    class: box.width < cols || box.height < rows ? "heat fine" : "heat",
    "aria-hidden": "true",
  });
  drawHeatmap(canvas, tensor, { max: tensor.stats.maxAbs, theme: frame.state.theme, ...box, numbers: true });
  return el(
    "div",
    { class: "product-sheet", style: `width:${box.width}px;height:${box.height}px` },
    canvas,
    el("div", { class: "product-mark", "data-mark": name, hidden: true }),
  );
}

/** @param {string[]} names @param {number} width @param {number} size */
function colTicks(names, width, size) {
  const longest = Math.max(...names.map((name) => name.length));
  if (!size || names.length < 2 || longest > LONGEST) return null;
  const need = longest * 6.2 + 4;
  const shown = ticks(names.length, width, need);
  return el(
    "div",
    { class: "ticks", "aria-hidden": "true" },
    ...shown.map((i) => el("span", { style: `left:${((i + 0.5) / names.length) * width}px` }, names[i])),
  );
}

/** @param {string[]} names @param {number} height @param {number} size @param {number} gutter */
function rowTicks(names, height, size, gutter) {
  if (!gutter) return null;
  return el(
    "div",
    { class: "row-names", "aria-hidden": "true", style: `width:${gutter}px` },
    ...ticks(names.length, height, size).map((i) =>
      el("span", { style: `top:${((i + 0.5) / names.length) * height}px` }, names[i]),
    ),
  );
}

/**
 * @param {string} part "arriving", "matrix" or "result" @param {{row: number, col: number}} cell @param {number} rows
 * @param {number} cols @returns {string} the style that puts a mark on the cell, in that part
 */
export function placeOf(part, { row, col }, rows, cols) {
  const along = (/** @type {number} */ at, /** @type {number} */ count) =>
    `left:${(at / count) * 100}%;width:${100 / count}%`;
  if (part === "arriving") return `${along(row, rows)};top:0;height:100%`;
  if (part === "result") return `${along(col, cols)};top:0;height:100%`;
  return `${along(col, cols)};top:${(row / rows) * 100}%;height:${100 / rows}%`;
}
