import { counted } from "../shared/plural.js";
/**
 * How fast a run goes on: so many milliseconds from one step to the next; `rest` 0 takes steps as fast as they come,
 * up to a thousand.
 * @typedef {{name: string, words: string, rest: number}} Pace
 */

/** From slow motion, in which every step is seen, to a thousand steps at once. */
export const PACES = /** @type {Pace[]} */ ([
  { name: "slow", words: "one a second", rest: 1000 },
  { name: "brisk", words: "five a second", rest: 200 },
  { name: "fast", words: "a thousand", rest: 0 },
]);
const FAR = 1000;

/** @param {string} name @returns {Pace} */
export function paceOf(name) {
  return PACES.find((pace) => pace.name === name) ?? PACES[0];
}

/** @param {number} taken @returns {number} the next whole thousand of steps */
export function farFrom(taken) {
  return FAR * (Math.floor(taken / FAR) + 1);
}

/** @param {number} taken @returns {string} where a run stands, as a heading says it */
export function takenWords(taken) {
  return taken ? `after ${counted(taken, "step")}` : "before the first step";
}
