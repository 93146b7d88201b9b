import { bytesOf, parseShape } from "./tensor.js";

const WORD = 4; // bytes of a number

/**
 * Tensors that are mostly zeros are recorded by their other cells: a bit for each, then the numbers, all first bytes
 * before all second ones.
 * @param {any} value of an answer @returns {any} with every number in its place
 */
export function filledUp(value) {
  if (Array.isArray(value)) return value.map(filledUp);
  if (value === null || typeof value !== "object") return value;
  if (typeof value.cells === "string" && "dtype" in value) return wholeOf(value);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filledUp(one)]));
}

/** @param {{cells: string, dtype: string, shape: string}} thin */
function wholeOf({ cells, ...tensor }) {
  const count = parseShape(tensor.shape).reduce((product, size) => product * size, 1);
  const stored = bytesOf(cells);
  const from = Math.ceil(count / 8);
  const filled = (stored.length - from) / WORD;
  const bytes = new Uint8Array(count * WORD);
  let next = 0;
  for (let place = 0; place < count; place += 1) {
    if (!(stored[place >> 3] & (1 << (place & 7)))) continue;
    for (let rank = 0; rank < WORD; rank += 1) bytes[place * WORD + rank] = stored[from + rank * filled + next];
    next += 1;
  }
  return { ...tensor, bdata: textOf(bytes) };
}

/** @param {Uint8Array} bytes @returns {string} base64 */
function textOf(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}
