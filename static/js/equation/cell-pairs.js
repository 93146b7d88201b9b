import { gridOf, ravel, unravel } from "../shared/tensor.js";
import { numel } from "../shared/shape.js";
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {{x: number, y: number, w: number, h: number}} Rect cells of a sheet, as it is drawn */
/** @typedef {{big: Rect, small: Rect}} Pair the same cells in two sheets */

/** Beyond this a motion would cost more than a frame has. */
const MOST = 16384;

/**
 * @param {Tensor} from @param {Tensor} to
 * @param {number[]} axes those of `from` that `to` has lost, or keeps with length 1
 * @returns {{pairs: {big: Rect, small: Rect}[], cells: number[], values: number[]}[]} for each place along them the
 *   cells there, and where they lie in `to`
 */
export function slices(from, to, axes) {
  const shape = from.shape;
  if (from.block || to.block || numel(shape) > MOST) return [];
  const kept = shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
  const [held, running] = [axes, kept].map((some) => some.map((axis) => shape[axis]));
  if (numel(running) !== to.size) return [];
  const [big, small] = [gridOf(shape), gridOf(to.shape)];
  return Array.from({ length: numel(held) }, (_, i) => {
    const at = unravel(held, i);
    const cells = Array.from({ length: to.size }, (_, cell) => cell);
    const own = cells.map((cell) => ravel(shape, woven(axes, at, kept, unravel(running, cell), shape.length)));
    return {
      pairs: merged(own.map((flat, cell) => ({ big: placeOf(flat, big), small: placeOf(cell, small) }))),
      cells,
      values: own.map((flat) => from.data[flat]),
    };
  });
}

/** @param {number[]} axes @param {number[]} at @param {number[]} kept @param {number[]} along @param {number} count */
function woven(axes, at, kept, along, count) {
  const index = new Array(count);
  axes.forEach((axis, i) => (index[axis] = at[i]));
  kept.forEach((axis, i) => (index[axis] = along[i]));
  return index;
}

/** @param {number} flat @param {{cols: number}} grid @returns {Rect} */
export function placeOf(flat, { cols }) {
  return { x: flat % cols, y: Math.floor(flat / cols), w: 1, h: 1 };
}

/** @param {Pair[]} cells @returns {Pair[]} neighbours that stay neighbours go as one */
function merged(cells) {
  const beside = joinedWhere(cells, "x", "w");
  return joinedWhere(beside, "y", "h");
}

/** @param {Pair[]} pairs @param {"x"|"y"} along @param {"w"|"h"} size */
function joinedWhere(pairs, along, size) {
  const [across, width] = along === "x" ? /** @type {const} */ (["y", "h"]) : /** @type {const} */ (["x", "w"]);
  const follows = (/** @type {Rect} */ a, /** @type {Rect} */ b) =>
    b[along] === a[along] + a[size] && b[across] === a[across] && b[width] === a[width];
  /** @type {Pair[]} */
  const made = [];
  for (const { big, small } of pairs) {
    const last = made[made.length - 1];
    if (last && follows(last.big, big) && follows(last.small, small)) {
      last.big[size] += big[size];
      last.small[size] += small[size];
    } else made.push({ big: { ...big }, small: { ...small } });
  }
  return made;
}

/**
 * @param {Tensor} from @param {Tensor} to
 * @returns {Pair[]} runs of cells (`big` in `from`) where the one has the other's numbers in their order, or turned
 */
export function reordered(from, to) {
  if (from.block || to.block || from.size !== to.size || from.size > MOST) return [];
  const [big, small] = [gridOf(from.shape), gridOf(to.shape)];
  const turned = (/** @type {number} */ cell) => (cell % small.cols) * big.cols + Math.floor(cell / small.cols);
  const same = (/** @type {number} */ cell) => cell;
  const order = [same, turned].find((source) => to.data.every((value, cell) => value === from.data[source(cell)]));
  if (!order) return [];
  const cells = Array.from({ length: to.size }, (_, cell) => cell);
  return joinedWhere(
    cells.map((cell) => ({ big: placeOf(order(cell), big), small: placeOf(cell, small) })),
    "x",
    "w",
  );
}

/** @param {Tensor} table @param {Tensor} places @param {Tensor} picked @returns {boolean} whether shapes allow it */
export function indexes(table, places, picked) {
  const whole = places.wire.dtype === "i4" && ![table, places, picked].some(({ block }) => block);
  return whole && table.shape.length === 2 && picked.shape.join() === [...places.shape, table.shape[1]].join();
}

/** @param {Tensor} table @param {Tensor} places @param {Tensor} picked */
export function spots(table, places, picked) {
  const [length, sheet] = [table.shape[1], gridOf(picked.shape)];
  return Array.from(places.data, (row, i) => ({
    row: { x: 0, y: row, w: length, h: 1 },
    cell: { ...placeOf(i * length, sheet), w: length },
  }));
}

/** @param {Tensor} table @param {Tensor} places @param {Tensor} picked @returns {{row: Rect, cell: Rect}[]} */
export function lookups(table, places, picked) {
  if (!indexes(table, places, picked)) return [];
  const length = table.shape[1];
  const found = picked.data.every(
    (value, i) => value === table.data[places.data[Math.floor(i / length)] * length + (i % length)],
  );
  return found ? spots(table, places, picked) : [];
}
