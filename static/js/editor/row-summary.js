import { asDecimals, valuesOf } from "./request.js";
import { numberText } from "../shared/format.js";
/** @typedef {import("./draft.js").TensorRow} TensorRow */

/**
 * @param {TensorRow} row @param {boolean} mistaken
 * @param {Set<string>} indices names that the program picks places with
 * @returns {string} what its values are, in a few words
 */
export function rowSummary(row, mistaken, indices) {
  const values = row.fill === "values" ? valuesOf(row) : null;
  if (values === null || typeof values === "string") return mistaken ? "not readable" : "no numbers yet";
  const { least, most, mask, note, shape } = values;
  if (shape.includes(0)) return "no cells";
  if (mask) return least === most ? `a mask, all ${least ? "true" : "false"}` : "a mask of true and false";
  const range = least === most ? numberText(least, 3) : `${numberText(least, 3)} to ${numberText(most, 3)}`;
  const whole = values.whole && !asDecimals(row, indices) ? "whole, " : "";
  return `${whole}${range}${note ? ` · ${note}` : ""}`;
}
