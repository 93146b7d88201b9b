/** Level → [glyph, word, sentence]. */
export const LEVELS = /** @type {Record<string, [string, string, string]>} */ ({
  exact: ["✓", "exact", "equal to autograd's, bit for bit"],
  approximate: ["≈", "approximate", "equal to autograd's up to rounding"],
  zero: ["0", "true zero", "the true value is zero, what is left is rounding"],
  "not-finite": ["∞", "not finite", "NaN or infinity, as in autograd's"],
  wrong: ["✕", "wrong", "not equal to autograd's"],
  shape: ["□", "wrong shape", "not of the shape it must have"],
  "autograd-not-finite": ["?", "no verdict", "autograd’s is NaN or infinite, this is not: there is nothing to compare"],
  "lines-not-finite": ["?", "NaN or infinite", "the printed lines, run one by one, give NaN or infinity"],
  lost: ["–", "not computed", "it can’t be computed: a line before it is wrong on purpose"],
  partial: ["+", "more to come", "another path will be added to it"],
  inner: ["·", "part of a line", "autograd keeps no gradient for a part of a line"],
  none: ["", "not yet computed", "not yet computed"],
});

/**
 * @param {import("./types.js").Verdict} verdict
 * @returns {import("./types.js").Level|"lost"} how it is shown: what could not be computed is of no shape at all
 */
export function shownLevel({ level, kind }) {
  return kind === "lost" ? "lost" : level;
}
