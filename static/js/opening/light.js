/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./moments.js").Moment} Moment */
/**
 * How far the light has come: `front` going forward, `back` on the way back, both in columns; `taken` of the steps
 * downhill; `at` is the moment, `since` the seconds in it.
 * @typedef {{front: number, back: number, taken: number, at: number, since: number}} Light
 */

/** What is less than the largest gradient by so much, or more, stays dark. */
const RANGE = 1e4;
/** The share of a moment in which its light moves; then it rests. */
const MOVES = 0.72;

/**
 * How bright a gradient is, by the logarithm of its norm.
 * @param {number} norm @param {number} largest @returns {number} from 0 to 1
 */
export function brightness(norm, largest) {
  if (!(norm > 0) || !(largest > 0)) return 0;
  return within(1 + Math.log10(norm / largest) / Math.log10(RANGE));
}

/** @param {number} value @returns {number} 0 and 1 at the ends */
export function within(value) {
  return Math.max(0, Math.min(1, value));
}

/** @param {number} part @returns {number} the same, slow at both ends */
export function eased(part) {
  const t = within(part);
  return t * t * (3 - 2 * t);
}

/** @param {readonly Moment[]} moments @returns {number} seconds */
export function lengthOf(moments) {
  return moments.reduce((sum, { seconds }) => sum + seconds, 0);
}

/** @param {readonly Moment[]} moments @param {number} index @returns {number} the second at which it begins */
export function startOf(moments, index) {
  return lengthOf(moments.slice(0, index));
}

/** @param {readonly Moment[]} moments @param {number} index @returns {number} the second that shows all of it */
export function stillOf(moments, index) {
  return startOf(moments, index) + moments[index].seconds * 0.92;
}

/** @param {readonly Moment[]} moments @param {number} time seconds @returns {Light} */
export function lightAt(moments, time) {
  let at = 0;
  let since = Math.max(0, time);
  while (at < moments.length - 1 && since >= moments[at].seconds) since -= moments[at++].seconds;
  const { seconds, front, back, taken } = moments[at];
  const part = eased(since / (seconds * MOVES));
  const between = (/** @type {readonly [number, number]} */ [from, to]) => from + (to - from) * part;
  return { front: between(front), back: between(back), taken: between(taken), at, since };
}

/**
 * A pulse along a link: where it is, as a share of the way.
 * @param {number} wave the column where the light is @param {number} from @param {number} to columns of the two ends
 * @returns {number} below 0 before it starts, above 1 when it has arrived
 */
export function alongOf(wave, from, to) {
  return (wave - from) / (to - from || 1);
}

/** @param {number} turns @returns {number} there and back, from 1 over −1 to 1 in each turn */
export function swing(turns) {
  return 4 * Math.abs(turns - Math.floor(turns) - 0.5) - 1;
}
