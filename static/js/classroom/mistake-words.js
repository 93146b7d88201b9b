import { kindText } from "../practice/mistake-kinds.js";

/** @type {Record<string, string>} what only a number that is dragged can be */
const REACHED = { "too-high": "too high", "too-low": "too low", "not-finite": "not finite" };

/** @param {string} code of a mistake @returns {string} what a class calls it */
export function wordFor(code) {
  return REACHED[code] ?? kindText(code);
}
