import { cellWords } from "../shared/axis-labels.js";
import { numberText, shapeText, toldApart } from "../shared/format.js";
import { numberIn } from "../shared/json-number.js";
import { drawHeatmap } from "../shared/heatmap-view.js";
import { Tensor } from "../shared/tensor.js";
import { el } from "../shared/dom/elements.js";
/** @typedef {import("./attempts.js").Comparison} Comparison */
/** @typedef {import("../shared/colour-scale.js").Theme} Theme */
/**
 * @typedef {{name: string, dims: string[], labels: Record<string, string[]>, theme: Theme, width: number}} About
 *   `width`: what there is for all three pictures, in pixels
 */

const CELL = 18;
const LEAST = 12;
const TALL = 150;
const GAP = 24;

/**
 * What the line gives and what is right on one scale, their difference on its own, and where it is largest.
 * @param {Comparison} comparison @param {About} about @returns {HTMLElement}
 */
export function comparisonPicture(comparison, about) {
  const [own, right] = [new Tensor(comparison.answer), new Tensor(comparison.true)];
  const difference = comparison.difference && new Tensor(comparison.difference);
  const peak = Math.max(own.largest, right.largest);
  const parts = /** @type {[Tensor, string, number][]} */ ([
    [own, "yours", peak],
    [right, "true", peak],
    ...(difference ? [[difference, "difference", difference.largest]] : []),
  ]);
  const room = Math.floor((about.width - 2 * GAP) / 3);
  const worst = comparison.worst?.index ?? null;
  const figures = parts.map(([tensor, title, max]) => figure(tensor, title, max, worst, about, room));
  return el(
    "div",
    {
      class: "comparison",
      role: "group",
      "aria-label": `d${about.name}: ${parts.map(([, title]) => title).join(", ")}`,
    },
    el("div", { class: "comparison-maps" }, ...figures),
    worstLine(right, comparison.worst, about),
  );
}

/**
 * @param {Tensor} tensor @param {string} title @param {number} max @param {number[]|null} worst @param {About} about
 * @param {number} room
 */
function figure(tensor, title, max, worst, { theme }, room) {
  const { rows, cols } = tensor.grid;
  const width = Math.min(room, Math.max(LEAST, cols * CELL));
  const height = Math.min(TALL, Math.max(LEAST, rows * CELL));
  const canvas = el("canvas", { role: "img", "aria-label": `${title}, ${shapeText(tensor.whole)}` });
  drawHeatmap(canvas, tensor, { max, theme, width, height });
  const at = worst ? tensor.flatOf(worst) : -1;
  const mark = el("span", { class: "worst-cell" });
  const side = (/** @type {number} */ whole, /** @type {number} */ count) => Math.max(6, whole / count);
  const [across, down] = [side(width, cols), side(height, rows)];
  mark.style.width = `${across}px`;
  mark.style.height = `${down}px`;
  mark.style.left = `${(((at % cols) + 0.5) * width) / cols - across / 2}px`;
  mark.style.top = `${((Math.floor(at / cols) + 0.5) * height) / rows - down / 2}px`;
  return el(
    "figure",
    {},
    el("div", { class: "map" }, canvas, at < 0 || rows * cols === 1 ? null : mark),
    el(
      "figcaption",
      {},
      el("span", {}, title),
      el("span", { class: "fact" }, worst ? "" : `${shapeText(tensor.whole)} `, `±\u00a0${numberText(max, 3)}`),
    ),
  );
}

/** @param {Tensor} right @param {Comparison["worst"]} worst @param {About} about */
function worstLine(right, worst, { dims, labels }) {
  if (!worst) return null;
  const words = cellWords(labels, dims, right.whole, worst.index);
  const [yours, known] = toldApart([worst.answer, worst.true].map(numberIn));
  return el(
    "p",
    { class: "worst" },
    words ? `Furthest off at ${words}: yours ` : "Yours ",
    el("b", {}, yours),
    ", true ",
    el("b", {}, known),
    ".",
  );
}
