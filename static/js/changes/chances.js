import { focusRow } from "../shared/axis-labels.js";
import { percentText } from "../shared/format.js";
import { ropeOf } from "../tug-of-war/tug-of-war.js";
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/**
 * What the network gives each class for one example: its `shares`, the right class, what classes are called, and what
 * the example is.
 * @typedef {{shares: number[], target: number, names: string[], example: string}} Chances
 */

/** @param {Walk} walk @returns {import("../walk/types.js").SentNode|undefined} the scores whose softmax is judged */
export function scoresOf(walk) {
  return walk.document.nodes.find(({ view, targets }) => view === "tug-of-war" && targets);
}

/**
 * Softmax minus one-hot, over the rows, is the gradient of the scores: so the shares can be read from it.
 * @param {Walk} walk @param {Tensor} gradient of the scores @returns {Chances|null} of the example in focus
 */
export function chancesOf(walk, gradient) {
  const node = scoresOf(walk);
  if (!node?.targets || gradient.block) return null;
  const row = focusRow(walk.document.in_focus, node.dims, gradient) ?? 0;
  const { shares, target } = ropeOf(gradient, /** @type {number[]} */ (node.targets), row);
  return { shares, target, ...namesOf(walk, node.dims, row, shares.length) };
}

/**
 * @param {Walk} walk @param {string[]} dims of the scores @param {number} row @param {number} classes
 * @returns {{names: string[], example: string}} what the classes are called, and the example
 */
export function namesOf(walk, dims, row, classes) {
  const { labels } = walk.document;
  const names = labels[dims[1]] ?? Array.from({ length: classes }, (_, i) => String(i));
  return { names, example: labels[dims[0]]?.[row] ?? `example ${row}` };
}

/** @param {Chances} before @param {Chances} now @returns {string} what became of the right class */
export function chanceWords(before, { shares, target, names }) {
  const [was, is] = [before.shares[target], shares[target]].map(percentText);
  return was === is ? `“${names[target]}” has ${is}` : `“${names[target]}” had ${was} and has ${is}`;
}

/**
 * @param {Chances} before @param {Chances} now @param {number} top so far
 * @returns {number} the share that fills the height
 */
export function topOf(before, now, top) {
  // once it has grown it stays, so that no bar jumps while one number moves
  return Math.max(top, 1.5 * Math.max(...before.shares), ...now.shares);
}
