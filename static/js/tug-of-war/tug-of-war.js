import { percentText } from "../shared/format.js";
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {{column: number, value: number}} Pull */
/** @typedef {{row: number, target: number, up: number, down: number, rest: number, balanced: boolean,
 *   probability: number, chance: number, pushes: Pull[]}} Rope */

/**
 * One example's rope: the right class is pulled up, every other is pushed down by its share.
 * The mean over the rows divides each pull by their number: up = (1 − p) / rows. `chance` is what a blind guess gives.
 * @param {Tensor} gradient (examples, classes) @param {number[]} targets @param {number} row @returns {Rope}
 */
export function ropeOf(gradient, targets, row) {
  const { rows, cols } = gradient.grid;
  const target = targets[row];
  const values = Array.from({ length: cols }, (_, column) => gradient.data[row * cols + column]);
  const pushes = values.map((value, column) => ({ column, value })).filter((pull) => pull.column !== target);
  pushes.sort((a, b) => b.value - a.value);
  const down = pushes.reduce((sum, pull) => sum + pull.value, 0);
  const up = -values[target];
  const rest = down - up;
  const probability = 1 - Math.min(1, Math.max(0, up * rows));
  return {
    row,
    target,
    up,
    down,
    rest,
    balanced: Math.abs(rest) <= 1e-5 * Math.max(up, 1e-3),
    probability,
    chance: 1 / cols,
    pushes,
  };
}

/** @param {Rope} rope @returns {string} what the right class had, beside a blind guess */
export function chanceText({ probability, chance }) {
  return `had ${percentText(probability)}; guessing blindly gives ${percentText(chance)}.`;
}

/**
 * @param {Rope} rope @returns {string} why the right class is pulled up by a negative gradient; empty where it is not
 */
export function upText({ up }) {
  return up > 0 ? "Its gradient is negative: a step against the gradient lifts its logit." : "";
}

/**
 * What a click on the board does: the first chooses the row, the next one inside it opens a cell.
 * @param {number|null} chosen the row that was chosen before @param {number} row
 * @param {boolean} onCell rather than on the row's label
 * @param {boolean} open whether a number is open: then a click moves to another one @returns {"row"|"cell"}
 */
export function clickMeans(chosen, row, onCell, open) {
  return onCell && (open || chosen === row) ? "cell" : "row";
}
