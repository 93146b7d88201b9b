import { cellWords } from "../shared/axis-labels.js";
import { shapeText, toldApart } from "../shared/format.js";
import { numberIn } from "../shared/json-number.js";
import { drawHeatmap } from "../shared/heatmap-view.js";
import { reachText } from "../shared/reach.js";
import { mountSameScale } from "../shared/same-scale-view.js";
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
 * What the line gives, what is right and their difference, each on its own scale unless one is asked for, and where the
 * difference is largest.
 * @param {Comparison} comparison @param {About} about @returns {HTMLElement}
 */
export function comparisonPicture(comparison, about) {
  const parts = partsOf(comparison);
  const maps = el("div", { class: "comparison-maps" });
  const scale = mountSameScale(draw);
  const own = parts.map(({ tensor }) => tensor.stats.maxAbs);

  function draw() {
    const peak = scale.peakOf([parts[0].tensor, parts[1].tensor], own.slice(0, 2));
    const max = (/** @type {number} */ i) => (i < 2 && peak ? peak : own[i]);
    maps.replaceChildren(...parts.map((part, i) => figure(part, max(i), comparison.worst?.index ?? null, about)));
  }

  draw();
  return el(
    "div",
    {
      class: "comparison",
      role: "group",
      "aria-label": `d${about.name}: ${parts.map(({ title }) => title).join(", ")}`,
    },
    maps,
    scale.root,
    worstLine(parts[1].tensor, comparison.worst, about),
  );
}

/** @param {Comparison} comparison @returns {{tensor: Tensor, title: string}[]} */
function partsOf(comparison) {
  const difference = comparison.difference && new Tensor(comparison.difference);
  return [
    { tensor: new Tensor(comparison.answer), title: "yours" },
    { tensor: new Tensor(comparison.true), title: "true" },
    ...(difference ? [{ tensor: difference, title: "difference" }] : []),
  ];
}

/**
 * @param {{tensor: Tensor, title: string}} part @param {number} max what full colour stands for
 * @param {number[]|null} worst @param {About} about
 */
function figure({ tensor, title }, max, worst, { theme, width: all }) {
  const { rows, cols } = tensor.grid;
  const room = Math.floor((all - 2 * GAP) / 3);
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
      el("span", { class: "fact" }, worst ? "" : `${shapeText(tensor.whole)} `, reachText(tensor)),
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
