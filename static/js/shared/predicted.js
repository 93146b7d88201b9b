/**
 * How a tensor follows from others: `times * sum(of(x) * y) + plus` for each of `sizes` cells, the sum over `terms`
 * places of one more axis; a place says which tensor, and how far its next cell is along each axis. Only what every
 * browser rounds alike, in the order of backend/packing/way.py.
 * @typedef {[number, number[]]} Place
 * @typedef {{sizes: number[], x: Place, of?: string, y?: Place, plus?: Place, times?: number, terms?: number}} Way
 * @typedef {{cells: ArrayLike<number>, starts: Int32Array, step: number}} Operand where each cell's terms begin
 */

/** @type {Record<string, (x: number) => number>} */
const OF = {
  "x * x": (x) => x * x,
  "1 - x * x": (x) => 1 - x * x,
  "1 / x": (x) => 1 / x,
  "x > 0": (x) => Number(x > 0),
};

/** @param {Way} way @param {Float32Array[]} known @returns {Float32Array} */
export function predicted(way, known) {
  const { sizes, of = "", times = 1, terms = 1 } = way;
  const [x, y, plus] = [way.x, way.y, way.plus].map((place) => (place ? operand(place, sizes, known) : null));
  if (x && of) x.cells = Float64Array.from(x.cells, OF[of]);
  const cells = new Float32Array(sizes.reduce((product, size) => product * size, 1));
  for (let cell = 0; cell < cells.length; cell += 1) {
    const sum = x ? sumOf(x, y, cell, terms) : 0;
    cells[cell] = sum * times + (plus ? plus.cells[plus.starts[cell]] : 0);
  }
  return cells;
}

/** @param {Operand} x @param {Operand|null} y @param {number} cell @param {number} terms */
function sumOf(x, y, cell, terms) {
  let sum = 0;
  let [from, other] = [x.starts[cell], y ? y.starts[cell] : 0];
  for (let term = 0; term < terms; term += 1) {
    sum += x.cells[from] * (y ? y.cells[other] : 1);
    from += x.step;
    other += y ? y.step : 0;
  }
  return sum;
}

/** @param {Place} place @param {number[]} sizes @param {Float32Array[]} known @returns {Operand} */
function operand([number, strides], sizes, known) {
  let starts = new Int32Array(1);
  for (const [axis, size] of sizes.entries()) {
    const before = starts;
    starts = new Int32Array(before.length * size);
    for (let i = 0; i < starts.length; i += 1)
      starts[i] = before[Math.floor(i / size)] + (i % size) * (strides[axis] ?? 0);
  }
  return { cells: known[number], starts, step: strides[sizes.length] ?? 0 };
}

/**
 * @param {Float32Array} cells @param {Uint32Array} told how many float32 each is off, above or below
 * @returns {Float32Array} the same, put right
 */
export function corrected(cells, told) {
  const bits = new Uint32Array(cells.buffer);
  for (let i = 0; i < bits.length; i += 1) bits[i] += (told[i] >>> 1) ^ -(told[i] & 1);
  return cells;
}
