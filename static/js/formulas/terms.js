import { unravel } from "../shared/tensor.js";
/** @typedef {import("../lens/types.js").Along} Along */
/** @typedef {import("../lens/types.js").Term} Term */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */

// As in backend/inspect/cell/terms.py.
const [MOST, ROUNDINGS, TOLERANCE] = [4_096, 16, 1e-7];
/** @type {Record<string, number>} */
const EPSILON = { f4: 2 ** -23 };

/**
 * The products of local and upstream derivatives through one named tensor.
 * @typedef {{through: string, shape: number[], dims: string[], flat: number[], local: number[],
 *   arriving: number[]}} Terms
 */

/** @param {Terms} terms @returns {number[]} */
export function productsOf({ local, arriving }) {
  return local.map((one, i) => one * arriving[i]);
}

/** @param {number[]} numbers @returns {number} their sum, which carries what each addition rounds away */
export function total(numbers) {
  let [sum, lost] = [0, 0];
  for (const one of numbers) {
    const next = sum + one;
    lost += Math.abs(sum) >= Math.abs(one) ? sum - next + one : one - next + sum;
    sum = next;
  }
  return sum + lost;
}

/** @param {number[]} numbers @returns {number} */
export function sizeOf(numbers) {
  return total(numbers.map(Math.abs));
}

/** @param {Terms} terms @returns {Along[]} the axes along which they take more than one place */
export function overOf({ flat, shape, dims }) {
  const places = flat.map((one) => unravel(shape, one));
  return shape
    .map((_, axis) => ({ axis, name: dims[axis], size: new Set(places.map((place) => place[axis])).size }))
    .filter(({ size }) => size > 1);
}

/**
 * @param {Terms[]} groups
 * @returns {{terms: Term[], rest: {count: number, sum: number}}} the largest, and what is left
 */
export function largest(groups) {
  const all = groups.flatMap((group) => productsOf(group).map((product, i) => told(group, i, product)));
  const order = [...all.keys()].sort((one, other) => sized(all[other]) - sized(all[one]) || one - other);
  const rest = order.slice(MOST).map((place) => Number(all[place].product));
  return { terms: order.slice(0, MOST).map((place) => all[place]), rest: { count: rest.length, sum: total(rest) } };
}

/** @param {Terms} group @param {number} i @param {number} product @returns {Term} */
function told({ through, shape, flat, local, arriving }, i, product) {
  return { through, cell: unravel(shape, flat[i]), local: local[i], arriving: arriving[i], product, factor: null };
}

/** @param {Term} term */
function sized({ product }) {
  return Math.abs(Number(product));
}

/**
 * The number shown compared with another.
 * @param {Tensor} tensor @param {number} shown @param {number} sum @param {number} sizes @param {number} [doubt] a
 *   further bound on the rounding error
 */
export function comparison(tensor, shown, sum, sizes, doubt = 0) {
  const [epsilon, distance] = [EPSILON[tensor.wire.dtype] ?? 2 ** -52, Math.abs(sum - shown)];
  const ulp = ulpOf(tensor, epsilon);
  const room = ROUNDINGS * ((epsilon / 2) * sizes + ulp + doubt) + TOLERANCE * sizes;
  const agrees = distance <= room;
  const small = Math.max(Math.abs(shown), Math.abs(sum)) <= ROUNDINGS * (epsilon / 2) * sizes;
  return { shown, sum, agrees, cancels: agrees && shown !== sum && small };
}

/** @param {Tensor} tensor @param {number} epsilon @returns {number} at its largest number */
function ulpOf(tensor, epsilon) {
  const { maxAbs } = tensor.stats;
  return maxAbs ? 2 ** Math.floor(Math.log2(maxAbs)) * epsilon : 0.5 * epsilon;
}
