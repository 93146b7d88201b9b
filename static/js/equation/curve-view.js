import { numberText } from "../shared/format.js";
import { el } from "../shared/dom/elements.js";
/** @typedef {import("./items.js").Piece} Piece */

/** The side of the square that a curve is drawn in. */
export const SIDE = 132;
const MARGIN = 8;
/** More cells than this are drawn one in several. */
const MOST = 4096;

/** @param {ArrayLike<number>} data @returns {[number, number]} the least and the greatest, zero among them */
function span(data) {
  let [least, most] = [0, 0];
  for (let i = 0; i < data.length; i += 1) {
    if (!Number.isFinite(data[i])) continue;
    least = Math.min(least, data[i]);
    most = Math.max(most, data[i]);
  }
  return [least, most === least ? least + 1 : most];
}

/**
 * A function of one cell as the cells themselves draw it: each is a dot, its number before across, after it upwards.
 * @param {[Piece, Piece]} pieces before and after @param {string} words
 */
export function drawCurve([before, after], words) {
  const canvas = el("canvas", { "aria-hidden": "true", width: SIDE * 2, height: SIDE * 2 });
  const [x, y] = [before.tensor.data, after.tensor.data];
  const [across, up] = [span(x), span(y)];
  const box = el(
    "div",
    { class: "drawn-function" },
    el("span", { class: "words" }, words),
    canvas,
    el("span", { class: "ends" }, el("span", {}, numberText(across[0], 2)), el("span", {}, numberText(across[1], 2))),
  );
  // its colours come from the style sheet, which knows it once it is in the page
  queueMicrotask(() => draw(canvas, { x, y, across, up }));
  return box;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {{x: ArrayLike<number>, y: ArrayLike<number>, across: [number, number], up: [number, number]}} plot
 */
function draw(canvas, { x, y, across, up }) {
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const style = getComputedStyle(canvas);
  const inner = SIDE - 2 * MARGIN;
  const left = (/** @type {number} */ at) => MARGIN + ((at - across[0]) / (across[1] - across[0])) * inner;
  const top = (/** @type {number} */ at) => SIDE - MARGIN - ((at - up[0]) / (up[1] - up[0])) * inner;
  pen.scale(2, 2);
  pen.strokeStyle = style.getPropertyValue("--rule");
  pen.beginPath();
  pen.moveTo(left(0), 0);
  pen.lineTo(left(0), SIDE);
  pen.moveTo(0, top(0));
  pen.lineTo(SIDE, top(0));
  pen.stroke();
  pen.fillStyle = style.getPropertyValue("--forward");
  pen.globalAlpha = 0.7;
  const every = Math.ceil(x.length / MOST);
  for (let i = 0; i < x.length; i += every) {
    if (!Number.isFinite(x[i]) || !Number.isFinite(y[i])) continue;
    pen.beginPath();
    pen.arc(left(x[i]), top(y[i]), 1.6, 0, 7);
    pen.fill();
  }
}
