import { codeAt } from "../shared/category-codes.js";
import { dimsFor, sideLabels } from "../shared/axis-labels.js";
import { sheetOfShape } from "../shared/shape.js";
import { colName, rowName, sheetAxes } from "./sheet.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("./numbers-view.js").Numbers} Numbers */
/** @typedef {{title: string, names: string[]}} Side */

/**
 * @param {string} variable @param {string} which @returns {[string, string]} what the numbers are: "dW2", "written out"
 */
export function subjectName(variable, which) {
  const gradient = `d${variable}`;
  return (
    {
      value: /** @type {[string, string]} */ ([variable, "value"]),
      manual: /** @type {[string, string]} */ ([gradient, "written out"]),
      autograd: /** @type {[string, string]} */ ([gradient, "from autograd"]),
      difference: /** @type {[string, string]} */ ([gradient, "written out minus autograd"]),
    }[which] ?? [variable, which]
  );
}

/**
 * @param {Frame} frame @param {string} which
 * @returns {import("./window-loader.js").Question|null} by which name the server knows these numbers; a part of a line
 *   has none
 */
export function questionOf({ walk, node, known }, which) {
  if (node.inner) return null;
  if (which !== "manual" || walk.gradientAt(node.name, known).stage === "complete") return { tensor: node.name, which };
  const steps = (walk.backwardIndex.get(node.name) ?? []).filter((step) => step <= known);
  return { tensor: node.name, which: "accumulated", step: steps[steps.length - 1] };
}

/** @param {Frame} frame @param {Tensor} tensor @returns {{rows: Side, cols: Side}} */
export function sidesOf({ walk, node }, tensor) {
  const { labels } = walk.document;
  const dims = dimsFor(node, tensor);
  return { rows: sideLabels(labels, dims, tensor.shape, "rows"), cols: sideLabels(labels, dims, tensor.shape, "cols") };
}

/** @param {Tensor} tensor @param {{rows: Side, cols: Side}} sides @returns {Numbers} all of it, as a table has them */
export function numbersOf(tensor, { rows, cols }) {
  const { data, grid } = tensor;
  return {
    sheet: grid,
    at: (row, col) => data[row * grid.cols + col],
    text: namedCells(tensor),
    row: (row) => rows.names[row] || "·",
    col: (col) => cols.names[col],
    corner: cornerOf(rows.title, cols.title),
  };
}

/**
 * @param {Frame} frame @param {(row: number, col: number) => number} at
 * @returns {Numbers} of a tensor of which only a part is here
 */
export function numbersAt({ walk, node: { dims, shape } }, at) {
  const { labels } = walk.document;
  const axes = sheetAxes(dims, shape);
  return {
    sheet: sheetOfShape(shape),
    at,
    corner: cornerOf(axes.rows, axes.cols),
    row: (row) => rowName(labels, dims, shape, row),
    col: (col) => colName(labels, dims, shape, col),
  };
}

/** @param {string} rows @param {string} cols */
function cornerOf(rows, cols) {
  return [rows && `${rows} ↓`, cols && `${cols} →`].filter(Boolean).join("  ");
}

/** @param {Tensor} tensor @returns {Numbers["text"]} "d · 4": what each number stands for */
function namedCells(tensor) {
  if (!tensor.codes?.names) return null;
  return (row, col) => {
    const value = tensor.data[row * tensor.grid.cols + col];
    return `${codeAt(tensor, value)} · ${value}`;
  };
}
