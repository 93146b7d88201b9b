/** @typedef {import("../compare/types.js").SideBySide} SideBySide */
/** @typedef {import("../compare/types.js").Likeness} Likeness */

/** What a tensor as written can be, beside the one that was meant; in the order in which it is offered. */
export const ANSWERS = /** @type {const} */ ([
  ["same", "the same"],
  ["scale", "the same direction, longer or shorter"],
  ["opposite", "the opposite direction"],
  ["turned", "another direction"],
  ["zero", "zero everywhere"],
  ["broken", "NaN or ∞ somewhere"],
  ["shape", "another shape"],
  ["missing", "there is none"],
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
