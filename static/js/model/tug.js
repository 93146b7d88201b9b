import { percentText } from "./format.js";
/** @typedef {import("./tensor.js").Tensor} Tensor */
/** @typedef {{column: number, value: number}} Pull */
/** @typedef {{row: number, target: number, up: number, down: number, rest: number, balanced: boolean,
 *   strength: number, probability: number, pushes: Pull[]}} Rope */

/**
 * One example's rope: the right class is pulled up, every other is pushed down by its share.
 * The mean over the rows divides each pull by their number, so `strength` (0 right … 1 wrong) multiplies it back.
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
  const strength = Math.min(1, Math.max(0, up * rows));
  const rest = down - up;
  return { row, target, up, down, rest, balanced: Math.abs(rest) <= 1e-5 * Math.max(up, 1e-3), strength, probability: 1 - strength, pushes };
}

/** @param {number} probability of the right class @param {number} classes @returns {string} beside what knowing nothing gives */
export function oddsWords(probability, classes) {
  return `had ${percentText(probability)}; guessing blindly gives ${percentText(1 / classes)}`;
}
