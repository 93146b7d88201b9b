import { mistakesIn } from "./request.js";
/** @typedef {import("./diagnosis.js").Diagnosis} Diagnosis */
/** @typedef {import("./request.js").Mistake} Mistake */

/**
 * @param {import("./draft.js").Draft} draft @param {Diagnosis[]} faults what the server said
 * @returns {Mistake[]} those of the form, else the row that the first fault speaks of
 */
export function rowMistakes(draft, [first]) {
  const own = mistakesIn(draft);
  if (own.length || !first || first.row === null) return own;
  return [{ id: first.row, field: fieldIn(first), message: first.problem.message }];
}

/** @param {Diagnosis} diagnosis @returns {string} the field of a row that a refusal speaks of */
function fieldIn({ problem: { code, message } }) {
  if (message.startsWith("dims.")) return "axes";
  if (code.startsWith("name-") || code.startsWith("constants-")) return "name";
  return /^tensors\.\w+\.(\w+)/.exec(message)?.[1] ?? (code === "tensor-too-large" ? "shape" : "");
}
