/**
 * How a tensor follows from others: `times * sum(of(x) * y) + plus` for each of `sizes` cells, the sum over `terms`
 * places of one more axis; a place says which tensor, and how far its next cell is along each axis. Only what every
 * browser rounds alike, in the order of backend/packing/way.py.
 * @typedef {[number, number[]]} Place
 * @typedef {{sizes: number[], x: Place, of?: string, y?: Place, plus?: Place, times?: number, terms?: number}} Way
 */

/** Rounded to float32 at every operation, as a walk does. @type {Record<string, (x: number) => number>} */
const OF = {
  "": (x) => x,
  "x * x": (x) => Math.fround(x * x),
  "1 - x * x": (x) => Math.fround(1 - Math.fround(x * x)),
  "1 / x": (x) => Math.fround(1 / x),
  "x > 0": (x) => Number(x > 0),
};

/** @param {Way} way @param {Float32Array[]} known @returns {Float32Array} */
export function predicted(way, known) {
  const { sizes, of = "", times = 1, terms = 1 } = way;
  const x = Float64Array.from(known[way.x[0]], OF[of]);
  const y = known[way.y?.[0] ?? -1] ?? [1];
  const plus = known[way.plus?.[0] ?? -1] ?? [0];
  const [xs, ys, all] = [way.x, way.y, way.plus].map((place) => startsOf(place?.[1] ?? [], sizes));
  const [next, other] = [way.x, way.y].map((place) => place?.[1][sizes.length] ?? 0);
  return Float32Array.from(xs, (from, cell) => {
    let sum = 0;
    for (let term = 0; term < terms; term += 1) sum += x[from + term * next] * y[ys[cell] + term * other];
    return sum * times + plus[all[cell]];
  });
}

/** @param {number[]} strides @param {number[]} sizes @returns {number[]} where the terms of each cell begin */
function startsOf(strides, sizes) {
  const along = sizes.map((size, axis) => Array.from({ length: size }, (_, i) => i * (strides[axis] ?? 0)));
  return along.reduce((before, steps) => before.flatMap((start) => steps.map((step) => start + step)), [0]);
}

/**
 * @param {Float32Array} cells that were predicted
 * @param {Uint32Array} told how many float32 each is off, above or below; becomes the bits of the right ones
 */
export function putRight(cells, told) {
  const bits = new Uint32Array(cells.buffer);
  bits.forEach((word, i) => (told[i] = word + ((told[i] >>> 1) ^ -(told[i] & 1))));
}
