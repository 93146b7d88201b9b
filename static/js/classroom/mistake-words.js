import { kindText } from "../practice/mistake-kinds.js";

/** @type {Record<string, string>} what only a number or a shape can be */
const OWN = { "too-high": "too high", "too-low": "too low", "not-finite": "not finite", unreadable: "can't be read" };

/** @param {string} code of a mistake @returns {string} what a class calls it */
export function wordFor(code) {
  return OWN[code] ?? kindText(code);
}
