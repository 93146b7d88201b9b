/** @typedef {import("../compare/types.js").SideBySide} SideBySide */
/** @typedef {import("../compare/types.js").Likeness} Likeness */

/**
 * What a tensor as written can be, beside the one that was meant, in the order in which it is offered; and what would
 * have to be true then, for whoever chose it in vain.
 */
export const ANSWERS = /** @type {const} */ ([
  ["same", "the same", "Then no cell would change: what is wrong would have no part in it."],
  ["scale", "the same direction, longer or shorter", "Then one number would multiply every cell."],
  ["opposite", "the opposite direction", "Then every cell would change its sign, and nothing else."],
  ["turned", "another direction", "Then cells would change by different factors, not all zero and none of them NaN."],
  ["zero", "zero everywhere", "Then every cell would be multiplied by zero, or its terms would cancel."],
  ["broken", "NaN or ∞ somewhere", "Then a line would divide by zero, overflow, read an ∞, or take an infinite slope."],
  ["shape", "another shape", "Then it would have an axis more or less, or one of another length."],
  ["missing", "there is none", "Then no line would compute it."],
]);

/**
 * @param {SideBySide} comparison @param {string} name as the code has it: `dW`, `h`
 * @returns {{likeness: Likeness|null, name: string}} what both sides have of it
 */
export function lookAt(comparison, name) {
  const known = new Map(comparison.tensors.map((tensor) => [tensor.variable, tensor]));
  const value = known.get(name)?.value;
  const gradient = name.startsWith("d") ? known.get(name.slice(1))?.gradient : null;
  return { likeness: value ?? gradient ?? null, name };
}

/** @param {Likeness|null} likeness @returns {string} the answer that is right; rounding makes no difference */
export function rightAnswer(likeness) {
  const kind = likeness?.kind ?? "missing";
  return kind === "rounding" ? "same" : kind;
}
