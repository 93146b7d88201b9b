import { axisName, labelOf } from "../shared/axis-labels.js";
import { unravel } from "../shared/tensor.js";

/**
 * @param {Record<string, string[]>} labels @param {string[]} dims @param {number[]} shape @param {number} row
 * @returns {string} "3", "2 · 0", or the label a person knows it by
 */
export function rowName(labels, dims, shape, row) {
  return (
    unravel(shape.slice(0, -1), row)
      .map((position, axis) => labelOf(labels, dims[axis], position) ?? String(position))
      .join(" · ") || "·"
  );
}

/** @param {Record<string, string[]>} labels @param {string[]} dims @param {number[]} shape @param {number} col */
export function colName(labels, dims, shape, col) {
  return labelOf(labels, dims[shape.length - 1], col) ?? String(col);
}

/**
 * @param {string[]} dims @param {number[]} shape
 * @returns {{rows: string, cols: string}} what runs down and what runs across
 */
export function sheetAxes(dims, shape) {
  const names = shape.map((_, axis) => axisName(dims[axis], axis));
  return { rows: names.slice(0, -1).join(" · "), cols: names[names.length - 1] ?? "" };
}

/** @param {number[]} shape @param {number} row @param {number} col @returns {number[]} the cell of the tensor */
export function cellOnSheet(shape, row, col) {
  return unravel(shape, row * (shape[shape.length - 1] ?? 1) + col);
}
