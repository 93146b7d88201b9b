import { numberIn } from "../shared/json-number.js";
import { numberText, toldApart } from "../shared/format.js";
import { namesOf } from "../changes/chances.js";
/** @typedef {import("../changes/chances.js").Chances} Chances */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** A cell that is nudged. @typedef {{tensor: string, index: number[]}} Nudged */
/** What moves: how far, as it is and as it is drawn, from 0 to 1. @typedef {{most: number, amplitude: number}} Move */
/**
 * The tensors that a nudge moves, in the order of the program, the loss's own move, the gradient that is shown, and
 * what becomes of the probabilities that the network gives, where it gives any.
 * @typedef {Nudged & {moves: Map<string, Move>, slope: number, gradient: number|null, chances: Swing|null}} Wobble
 */

/** Of each class how far its probability moves for each unit. @typedef {Chances & {moves: number[]}} Swing */

/** The least that is drawn, and the powers of ten between it and the most: no eye tells a thousandth of a move. */
const LEAST = 0.12;
const DECADES = 4;
/** A gradient in single precision is as good as the derivative in double up to this share. */
const ROUNDING = 1e-4;

/**
 * @param {Walk} walk
 * @param {Nudged & {slope: any, gradient: any, moved: Record<string, any>, chances: any}} answer of the server
 * @returns {Wobble}
 */
export function wobbleOf(walk, { tensor, index, slope, gradient, moved, chances }) {
  const sizes = Object.entries(moved).map(([name, most]) => /** @type {const} */ ([name, numberIn(most)]));
  const largest = Math.max(0, ...sizes.map(([, most]) => (Number.isFinite(most) ? most : 0)));
  return {
    ...{ tensor, index, slope: numberIn(slope) },
    gradient: gradient === null ? null : numberIn(gradient),
    moves: new Map(sizes.map(([name, most]) => [name, { most, amplitude: amplitudeOf(most, largest) }])),
    chances: chances && swingOf(walk, chances),
  };
}

/** @param {Walk} walk @param {any} sent @returns {Swing} with the names of the classes and of the example */
function swingOf(walk, { tensor, row, target, shares, moves }) {
  const named = namesOf(walk, walk.node(tensor).dims, row, shares.length);
  return { shares, target, moves: moves.map(numberIn), ...named };
}

/** @param {number} most @param {number} largest @returns {number} by its logarithm, so that the loss is seen to move */
export function amplitudeOf(most, largest) {
  if (most === 0 || largest === 0) return 0;
  if (!Number.isFinite(most)) return 1;
  return Math.max(LEAST, 1 + Math.log10(most / largest) / DECADES);
}

/** @param {Walk} walk @param {Nudged} nudged @returns {string} as the code names it */
export function nameOf(walk, { tensor, index }) {
  const name = walk.node(tensor).variable;
  return index.length ? `${name}[${index.join(", ")}]` : name;
}

/** @param {Walk} walk @param {Wobble} wobble @returns {string} what is said while it wobbles */
export function wordsOf(walk, wobble) {
  const name = `\`${nameOf(walk, wobble)}\``;
  const { slope, gradient } = wobble;
  if (slope !== 0 && walk.node(wobble.tensor).gradient?.verdict.level === "zero")
    return `Nudge ${name} by ε, and \`${walk.lossName}\` stands still: what is left of it is rounding.`;
  if (slope === 0) return `Nudge ${name} by ε, and \`${walk.lossName}\` stands still: no nudge gets there.`;
  const told = gradient ?? slope;
  const close = Math.abs(slope - told) <= ROUNDING * Math.max(Math.abs(slope), Math.abs(told)) + 1e-9;
  const [found, shown] = close ? [numberText(slope), ""] : toldApart([slope, told]);
  const moved = `Nudge ${name} by ε, and \`${walk.lossName}\` moves by ${found}·ε.`;
  if (gradient === null) return `${moved} The walk has no gradient of it.`;
  return close ? `${moved} That is its gradient.` : `${moved} The gradient shown says ${shown}.`;
}

/** @param {Walk} walk @param {Wobble} wobble @returns {string} what is said as it is let go */
export function backWords(walk, { tensor, index, gradient }) {
  const name = nameOf(walk, { tensor, index });
  return gradient === null ? "" : `And back along the same way: \`d${name}\` = ${numberText(gradient)}.`;
}

/** @param {Swing} swing @returns {string} what becomes of the right class's probability */
export function swingWords({ example, names, target, moves }) {
  const far = moves[target] === 0 ? "stands still" : `moves by ${numberText(moves[target])}·ε`;
  return `${example}: the probability of “${names[target]}” ${far}`;
}

/** @param {Walk} walk @param {Wobble} wobble @returns {{name: string, variable: string, most: string}[]} as numbers */
export function listOf(walk, { moves }) {
  return [...moves].map(([name, { most }]) => ({
    name,
    variable: walk.node(name).variable,
    most: numberText(most, 2),
  }));
}
