import { drawHeatmap } from "../shared/heatmap-view.js";
import { reachText } from "../shared/reach.js";
import { shapeText } from "../shared/format.js";
import { gridOf } from "../shared/tensor.js";
import { el } from "../shared/dom/elements.js";
/** @typedef {import("../shared/colour-scale.js").Theme} Theme */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("../walk/types.js").Choice} Choice */

const BOX = { width: 84, height: 52, least: 7, cell: 14 };

/** @param {Choice} chosen @param {Choice} right @returns {boolean} whether numbers, not shapes, tell them apart */
export function differsByNumbers(chosen, right) {
  return chosen.shape !== null && right.shape !== null && String(chosen.shape) === String(right.shape);
}

/**
 * What a wrong answer gives beside what is right, as two boxes in the proportions of their shapes.
 * @param {Choice} chosen @param {Choice} right @returns {HTMLElement|null}
 */
export function shapeBoxes(chosen, right) {
  if (chosen.shape === null || right.shape === null || differsByNumbers(chosen, right)) return null;
  const grids = [chosen.shape, right.shape].map((shape) => gridOf(shape));
  const unit = Math.min(...grids.flatMap(({ rows, cols }) => [BOX.width / cols, BOX.height / rows, BOX.cell]));
  return pair(
    [chosen.shape, right.shape].map((shape, i) => {
      const [width, height] = [grids[i].cols, grids[i].rows].map((size) =>
        Math.max(BOX.least, Math.round(size * unit)),
      );
      return [el("span", { class: "shape-box", style: `width:${width}px;height:${height}px` }), shapeText(shape)];
    }),
  );
}

/**
 * Two heatmaps, each on its own scale: what the answer gives, and what is right.
 * @param {{chosen: Tensor, right: Tensor}} both @param {Theme} theme @returns {HTMLElement}
 */
export function heatmaps({ chosen, right }, theme) {
  return pair(
    [chosen, right].map((tensor) => {
      const canvas = el("canvas", { class: "heat" });
      const { rows, cols } = tensor.grid;
      const width = Math.min(BOX.width, Math.max(BOX.least, cols * 8));
      const height = Math.min(BOX.height, Math.max(BOX.least, rows * 8));
      drawHeatmap(canvas, tensor, { max: tensor.stats.maxAbs, theme, width, height });
      return [canvas, reachText(tensor)];
    }),
  );
}

/** @param {(HTMLElement|string)[][]} both @returns {HTMLElement} */
function pair(both) {
  const titles = ["your answer", "the right one"];
  return el(
    "div",
    { class: "two-answers" },
    ...both.map(([picture, text], i) =>
      el(
        "figure",
        { class: i ? "is-right" : "is-chosen" },
        picture,
        el("figcaption", {}, el("span", {}, titles[i]), el("span", { class: "fact" }, text)),
      ),
    ),
  );
}
