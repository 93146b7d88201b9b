import { predicted, putRight } from "./predicted.js";
import { inRows } from "./recorded-columns.js";
import { textOf } from "./tensor.js";

const WORD = 4; // bytes of a number

/** Under which a tensor's bytes are told, or those of its blocks: as in app/site/packing.py. */
const KEYS = ["bdata", "mean", "min", "max"];

/**
 * @param {ArrayBuffer} content of a packed file: how long its words are, they, and the tensors that they name
 * @param {Uint8Array[]} [ground] the bytes of other files' tensors, which its own follow from
 * @returns {{document: any, tensors: Uint8Array[]}} and the bytes of all tensors, those of the ground first
 */
export function unpacked(content, ground = []) {
  const length = new DataView(content).getUint32(0, true);
  const words = new TextDecoder().decode(new Uint8Array(content, WORD, length));
  const { told, listed } = inRows(JSON.parse(words));
  const tensors = tensorsOf(listed, new Uint8Array(content, WORD + length), ground);
  return { document: filledIn(told, tensors), tensors };
}

/**
 * @param {[number, import("./predicted.js").Way?][]} listed of each its length, and how it follows from those before it
 * @param {Uint8Array} stored all first bytes of a tensor's numbers before all second ones
 * @param {Uint8Array[]} ground what comes before the first
 * @returns {Uint8Array[]} their bytes
 */
function tensorsOf(listed, stored, ground) {
  const known = ground.map(numbersOf);
  let from = 0;
  const own = listed.map(([length, way]) => {
    const bytes = inOrder(stored.subarray(from, (from += length)));
    if (way) putRight(predicted(way, known), new Uint32Array(bytes.buffer));
    known.push(numbersOf(bytes));
    return bytes;
  });
  return [...ground, ...own];
}

/** @param {Uint8Array} bytes @returns {Float32Array} none where they aren't words of float32 */
function numbersOf(bytes) {
  return new Float32Array(bytes.length % WORD ? new ArrayBuffer() : bytes.buffer);
}

/** @param {Uint8Array} stored @returns {Uint8Array<ArrayBuffer>} number by number */
function inOrder(stored) {
  const ranks = stored.length % WORD ? 1 : WORD;
  const count = stored.length / ranks;
  return Uint8Array.from(stored, (_, i) => stored[(i % ranks) * count + Math.floor(i / ranks)]);
}

/** @param {string[]} places @param {Uint8Array[]} tensors @returns {string} base64 of them, one after the other */
function joined(places, tensors) {
  const parts = places.map((place) => tensors[Number(place)]);
  return textOf(Uint8Array.from(parts.flatMap((part) => [...part])));
}

/** @param {any} value @param {Uint8Array[]} tensors @returns {any} with a tensor's bytes in the place of its mark */
function filledIn(value, tensors) {
  if (Array.isArray(value)) return value.map((one) => filledIn(one, tensors));
  if (value === null || typeof value !== "object") return value;
  const told = Object.entries(value).map(([key, one]) => [
    key,
    KEYS.includes(key) && typeof one === "string" && one[0] === "#"
      ? joined(one.slice(1).split(","), tensors)
      : filledIn(one, tensors),
  ]);
  return Object.fromEntries(told);
}
