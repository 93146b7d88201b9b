/**
 * How a tensor follows from others: `times * sum(of(x) * y) + plus` for each of `sizes` cells, the sum over `terms`
 * places of one more axis; a place says which tensor, and how far its next cell is along each axis. As in
 * app/site/predicting.py.
 * @typedef {[number, number[]]} Place
 * @typedef {{sizes: number[], x: Place, of?: string, y?: Place, plus?: Place, times?: number, terms?: number}} Way
 */

/** @type {Record<string, (x: number) => number>} */
const OF = {
  "": (x) => x,
  square: (x) => x * x,
  "tanh slope": (x) => 1 - x * x,
  inverse: (x) => 1 / x,
  positive: (x) => Number(x > 0),
  exp: Math.exp,
  log: Math.log,
  tanh: Math.tanh,
};

/** @param {Way} way @param {Float32Array[]} known @returns {Float32Array} */
export function predicted(way, known) {
  const { of = "", times = 1, terms = 1 } = way;
  const [x, y, plus] = [way.x, way.y, way.plus].map((place) => (place ? cellsAt(place, way, known) : null));
  const cells = new Float32Array(way.sizes.reduce((product, size) => product * size, 1));
  for (let cell = 0, at = 0; cell < cells.length; cell += 1) {
    let sum = 0;
    for (let term = 0; term < terms; term += 1, at += 1) sum += OF[of](x ? x[at] : 0) * (y ? y[at] : 1);
    cells[cell] = sum * times + (plus ? plus[at - terms] : 0);
  }
  return cells;
}

/** @param {Place} place @param {Way} way @param {Float32Array[]} known @returns {Float32Array} term by term */
function cellsAt([number, strides], { sizes, terms = 1 }, known) {
  let places = new Int32Array(1);
  for (const [axis, size] of [...sizes, terms].entries()) {
    const [before, stride] = [places, strides[axis] ?? 0];
    places = new Int32Array(before.length * size);
    for (let i = 0; i < places.length; i += 1) places[i] = before[Math.floor(i / size)] + (i % size) * stride;
  }
  const cells = new Float32Array(places.length);
  for (let i = 0; i < cells.length; i += 1) cells[i] = known[number][places[i]];
  return cells;
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
