import { gridOf } from "../shared/tensor.js";
import { within } from "../shared/within.js";
/** @typedef {import("./pickable-cells-view.js").Map} Map */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {{x: number, y: number}} Place in the window */
/** @typedef {{left: number, top: number, width: number, height: number}} Box */

/** @param {Pick<Map, "tensor"|"stretch">} map @returns {{rows: number, cols: number}} as drawn, copies included */
export function sheetOf({ tensor, stretch }) {
  return gridOf(stretch ?? tensor.shape);
}

/**
 * @param {Pick<Map, "tensor"|"stretch">} map @param {Box} box in which it is drawn @param {number} flat
 * @returns {Box} in which a cell is, of the first copy
 */
export function boxOfCell(map, { left, top, width, height }, flat) {
  const { rows, cols } = sheetOf(map);
  const own = map.tensor.grid.cols;
  const [w, h] = [width / cols, height / rows];
  return { left: left + (flat % own) * w, top: top + Math.floor(flat / own) * h, width: w, height: h };
}

/** @param {Pick<Map, "tensor"|"stretch">} map @param {Box} box @param {Place} at @returns {number[]} the cell there */
export function cellUnder(map, box, { x, y }) {
  const { rows, cols } = sheetOf(map);
  const row = within(Math.floor(((y - box.top) / box.height) * rows), rows);
  const col = within(Math.floor(((x - box.left) / box.width) * cols), cols);
  const { grid } = map.tensor;
  return map.tensor.cellAt(row % grid.rows, col % grid.cols);
}

/**
 * @param {Tensor} tensor @param {number[]|null} cell @param {[number, number]} move
 * @returns {number[]} the neighbour, or the first cell of all
 */
export function beside(tensor, cell, [down, right]) {
  const { rows, cols } = tensor.grid;
  const flat = cell ? tensor.flatOf(cell) : -1;
  if (flat < 0) return tensor.cellAt(0, 0);
  return tensor.cellAt(within(Math.floor(flat / cols) + down, rows), within((flat % cols) + right, cols));
}
