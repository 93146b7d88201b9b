import { counted } from "./plural.js";

/** @param {number[]} shape @returns {string} the way Python prints a shape: (32, 27), (64,), () */
export function shapeText(shape) {
  return shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
}

/** @param {number[]} shape @returns {string} "32 by 27", "64 numbers", "a single number" */
export function shapeWords(shape) {
  if (shape.length === 1) return counted(shape[0], "number");
  return shape.length === 0 ? "a single number" : shape.join(" by ");
}

/**
 * Rounded to so many digits, but a whole part is never cut: 12345.6 is 12346. `number_text` of the server is the same.
 * @param {number} value @param {number} [digits] @returns {string} a number with a true minus sign, short
 */
export function numberText(value, digits = 4) {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e-3 && size < 1e5 ? plainText(size, digits) : powerText(size, digits);
  return value < 0 ? `−${text}` : text;
}

/** With as many digits any two numbers of float64 read differently. */
const MOST_DIGITS = 18;

/**
 * @param {number[]} values that are compared @param {number} [digits] at least
 * @param {(value: number, digits: number) => string} [text] how they are written
 * @returns {string[]} those that differ read differently
 */
export function toldApart(values, digits = 4, text = numberText) {
  const different = new Set(values).size;
  for (let more = digits; more <= MOST_DIGITS; more += 1) {
    const texts = values.map((value) => text(value, more));
    if (new Set(texts).size === different) return texts;
  }
  return values.map((value) => text(value, digits));
}

/** @param {number} value finite @param {number} places @returns {string} its decimals, no minus before a zero */
export function fixedText(value, places) {
  const text = Math.abs(value).toFixed(places);
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}

/** @param {number} value @param {number} [digits] @returns {string} with its last zeros, as in a column */
export function steadyText(value, digits = 4) {
  const text = Math.abs(value).toPrecision(digits);
  if (!/^[\d.]+$/.test(text) || Math.abs(value) < 1e-3) return numberText(value, digits);
  return value < 0 ? `−${text}` : text;
}

/**
 * @param {number} ulps
 * @returns {string} "512 ulp"; where it says no more than that the numbers are nearly zero, its size alone
 */
export function ulpText(ulps) {
  return `${ulps < 1e5 ? ulps : numberText(ulps, 2)} ulp`;
}

/** @param {number} size @param {number} digits */
function plainText(size, digits) {
  const text = size.toPrecision(digits);
  return text.includes("e") ? size.toFixed(0) : trimmed(text);
}

/** @param {string} text */
function trimmed(text) {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** @param {number} exponent a whole number @returns {string} "10⁻³" */
export function powerOfTen(exponent) {
  const raised = [...String(Math.abs(exponent))].map((digit) => SUPERSCRIPTS[Number(digit)]).join("");
  return `10${exponent < 0 ? "⁻" : ""}${raised}`;
}

/** @param {number} size positive @param {number} digits @returns {string} "2.5·10⁻³" */
export function powerText(size, digits) {
  const [mantissa, exponent] = size.toExponential(Math.max(0, digits - 2)).split("e");
  return `${trimmed(mantissa)}·${powerOfTen(Number(exponent))}`;
}

/** @param {number} value @returns {string} four characters or so, for the inside of a cell */
export function cellText(value) {
  if (!Number.isFinite(value)) return numberText(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 0.01 && size < 1000) return numberText(Number(value.toPrecision(3)), 3);
  return numberText(value, 2);
}

/** @param {number} part @returns {string} "2.0 %" */
export function percentText(part) {
  const percent = part * 100;
  return `${percent >= 10 ? percent.toFixed(0) : percent >= 0.1 ? percent.toFixed(1) : "under 0.1"} %`;
}

/** @param {number} value @returns {string} every digit and no exponent, which an attribute of ARIA can't have */
export function decimalText(value) {
  return value.toLocaleString("en-US", { useGrouping: false, maximumFractionDigits: 20 });
}

/** @param {string} text @returns {string} with a capital, as a sentence begins */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
