import { numberText } from "../shared/format.js";

const DIGITS = 15;

/** @param {number} value @returns {string} with nearly all the digits of a float64 */
export function digitsText(value) {
  const size = Math.abs(value);
  return numberText(value, size !== 0 && (size < 1e-3 || size >= 1e5) ? DIGITS + 1 : DIGITS);
}

/**
 * @param {string} text @param {string} reference
 * @returns {[string, string]} as far as the digits are those of the reference, and the rest
 */
export function splitAgreeing(text, reference) {
  const power = (/** @type {string} */ one) => one.slice(one.indexOf("·") < 0 ? one.length : one.indexOf("·"));
  if (power(text) !== power(reference)) return ["", text];
  let end = 0;
  while (end < text.length && text[end] === reference[end]) end += 1;
  return [text.slice(0, end), text.slice(end)];
}
