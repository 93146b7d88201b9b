import { numberText, percentText } from "../shared/format.js";
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {{column: number, value: number}} Pull */
/** @typedef {{row: number, target: number, up: number, down: number, rest: number, balanced: boolean,
 *   shares: number[], probability: number, rows: number, chance: number, pushes: Pull[]}} Rope */

/**
 * One example's rope: the right class is pulled up, every other is pushed down by its share.
 * The mean over the rows divides each pull by their number, as the server makes sure: up = (1 − p) / rows. `chance` is
 * what a blind guess gives.
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
  const shares = values.map((value, column) => Math.min(1, Math.max(0, value * rows + Number(column === target))));
  return {
    row,
    target,
    up,
    down,
    rest,
    balanced: Math.abs(rest) <= 1e-5 * Math.max(up, 1e-3),
    shares,
    probability: shares[target],
    rows,
    chance: 1 / cols,
    pushes,
  };
}

/**
 * @param {Tensor} gradient (examples, classes) @param {number[]} targets
 * @returns {number} the strongest pull of all rows, which every rope of the board is measured by
 */
export function strongestPull(gradient, targets) {
  const ropes = Array.from({ length: gradient.grid.rows }, (_, row) => ropeOf(gradient, targets, row));
  return Math.max(...ropes.flatMap(({ up, down }) => [up, down]));
}

/**
 * The closed form with this row's numbers: softmax − one-hot, over the number of rows.
 * @param {Rope} rope @param {string[]} names of the classes
 * @returns {string} of the right class and the strongest other
 */
export function closedText({ target, probability, rows, up, pushes, shares }, names) {
  const right = `“${names[target]}” gets (${numberText(probability, 3)} − 1) / ${rows} = ${numberText(-up, 3)}`;
  const [other] = pushes;
  if (!other) return right;
  const share = numberText(shares[other.column], 3);
  return `${right}, “${names[other.column]}” ${share} / ${rows} = ${numberText(other.value, 3)}`;
}

/** @param {Rope} rope @returns {string} what the right class had, beside a blind guess */
export function chanceText({ probability, chance }) {
  return `had ${percentText(probability)}; guessing blindly gives ${percentText(chance)}.`;
}

/**
 * @param {Rope} rope @returns {string} why the right class is pulled up by a negative gradient; empty where it is not
 */
export function upText({ up }) {
  return up > 0 ? "Negative gradient: a step against it lifts the logit." : "";
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
