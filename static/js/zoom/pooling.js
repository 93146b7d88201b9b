import { isExact } from "./layers.js";
import { decode } from "../shared/tensor.js";
/** @typedef {import("./layers.js").Layer} Layer */
/** @typedef {import("./layers.js").Layers} Layers */
/** @typedef {import("../shared/tensor.js").Numbers} Numbers */
/** @typedef {import("./viewport.js").View} View */
/** @typedef {"mean"|"min"|"max"} Pooling what a block shows of its cells */

/** @type {WeakMap<Layer, Map<Pooling, Numbers>>} */
const numbers = new WeakMap();
/** @param {Layer} layer @param {Pooling} pooling @returns {Numbers} its cells, or one face of its blocks */
export function dataOf(layer, pooling) {
  if (isExact(layer)) return layer.tensor.data;
  const known = numbers.get(layer) ?? new Map();
  numbers.set(layer, known);
  if (!known.has(pooling)) known.set(pooling, decode(layer.tensor.wire, pooling));
  return known.get(pooling);
}

/**
 * @param {Layer} layer @param {Pooling} pooling @param {number} row of the sheet @param {number} col
 * @returns {number} what the layer says there
 */
export function valueIn(layer, pooling, row, col) {
  const {
    cells: [row0, row1, col0, col1],
    rows,
    cols,
  } = layer;
  const [r, c] = [Math.floor(((row - row0) * rows) / (row1 - row0)), Math.floor(((col - col0) * cols) / (col1 - col0))];
  return dataOf(layer, pooling)[r * cols + c];
}

/** @param {ArrayLike<number>} data @returns {number} largest finite magnitude */
function peakIn(data) {
  let peak = 0;
  for (let i = 0; i < data.length; i += 1) {
    const size = Math.abs(data[i]);
    if (size > peak && size < Infinity) peak = size;
  }
  return peak;
}

/** @param {number} peak @returns {number} the next round number, so that colours stay while one pans */
function roundUp(peak) {
  if (peak === 0) return 0;
  const unit = 10 ** Math.floor(Math.log10(peak));
  return ([1, 1.5, 2, 3, 5, 7].find((step) => step * unit >= peak * 0.999) ?? 10) * unit;
}

/**
 * @param {Layers} layers @param {View} view @param {Pooling} pooling
 * @returns {number} the magnitude at the ends of the colour scale
 */
export function scaleOf(layers, view, pooling) {
  const best = layers.best(view);
  if (!isExact(best)) return roundUp(peakIn(dataOf(best, pooling)));
  // the same for every window: the tile knows the least and the greatest cell of the whole
  return isExact(layers.base)
    ? peakIn(dataOf(layers.base, pooling))
    : Math.max(peakIn(dataOf(layers.base, "min")), peakIn(dataOf(layers.base, "max")));
}
