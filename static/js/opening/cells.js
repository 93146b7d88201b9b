import { numel } from "../shared/shape.js";
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {{rows: number, cols: number, data: ArrayLike<number>, max: number}} Cells as they are drawn */

/**
 * What one example has of a tensor: its own row where there is one for each example, else all of it.
 * @param {Tensor} tensor @param {string[]} dims @param {number} focus @returns {Cells}
 */
export function cellsOf(tensor, dims, focus) {
  const own = dims[0] === "example" && tensor.shape[0] > 1;
  const shape = own ? tensor.shape.slice(1) : tensor.shape;
  const count = numel(shape);
  const data = own ? tensor.data.subarray(focus * count, (focus + 1) * count) : tensor.data;
  const flat = shape.filter((size) => size > 1);
  const [rows, cols] = flat.length > 1 ? [count / flat[flat.length - 1], flat[flat.length - 1]] : squareOf(count);
  return { rows, cols, data, max: Array.from(data).reduce((most, value) => Math.max(most, Math.abs(value)), 0) };
}

/** @param {number} count @returns {[number, number]} rows and columns of a block that is nearly a square */
function squareOf(count) {
  const cols = Math.ceil(Math.sqrt(count));
  return [Math.ceil(count / cols), cols];
}
