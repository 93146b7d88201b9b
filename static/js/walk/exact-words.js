/** @typedef {import("./types.js").Summary} Summary */

/**
 * @param {Summary} before @param {Summary} after of the same walk with other rounding
 * @returns {string} what the rounding changed: the verdicts, which come on the way back
 */
export function exactWords(before, after) {
  return `Exact gradients, on the way back: ${after.exact} of ${after.gradients}, before ${before.exact}.`;
}
