/** @typedef {{rows: number, cols: number}} Sheet */
/**
 * @typedef {{row: number, col: number, rows: number, cols: number}} View the part of a sheet that is looked at, in
 *   cells; fractions of cells are allowed
 */
/** @typedef {{row: number, col: number}} Place a cell of a sheet */
/** @typedef {[number, number, number, number]} Cells whole cells: [row0, row1, column0, column1) */

/** No closer than this, but for a sheet that is smaller. */
const LEAST = { rows: 6, cols: 6 };

/** @param {Sheet} sheet @returns {View} */
export function whole({ rows, cols }) {
  return { row: 0, col: 0, rows, cols };
}

/** @param {View} view @param {Sheet} sheet */
export function isWhole(view, sheet) {
  return view.rows >= sheet.rows && view.cols >= sheet.cols;
}

/**
 * Closer by `factor` (below 1: further away), the point at this fraction of the view staying where it is.
 * @param {View} view @param {Sheet} sheet @param {number} factor @param {{x: number, y: number}} [at] @returns {View}
 */
export function zoomed(view, sheet, factor, at = { x: 0.5, y: 0.5 }) {
  const rows = between(view.rows / factor, Math.min(LEAST.rows, sheet.rows), sheet.rows);
  const cols = between(view.cols / factor, Math.min(LEAST.cols, sheet.cols), sheet.cols);
  return inside(
    { row: view.row + at.y * (view.rows - rows), col: view.col + at.x * (view.cols - cols), rows, cols },
    sheet,
  );
}

/**
 * @param {View} view @param {Sheet} sheet @param {number} rows how many down @param {number} cols how many to the right
 * @returns {View}
 */
export function panned(view, sheet, rows, cols) {
  return inside({ ...view, row: view.row + rows, col: view.col + cols }, sheet);
}

/**
 * @param {Sheet} sheet @param {number} row @param {number} col @param {Sheet} size
 * @returns {View} of this size around a cell
 */
export function around(sheet, row, col, size) {
  const [rows, cols] = [Math.min(size.rows, sheet.rows), Math.min(size.cols, sheet.cols)];
  return inside({ row: row + 0.5 - rows / 2, col: col + 0.5 - cols / 2, rows, cols }, sheet);
}

/** @param {Sheet} sheet @param {Place} place @returns {Place} the cell of the sheet that is nearest */
export function onSheet(sheet, { row, col }) {
  return { row: between(row, 0, sheet.rows - 1), col: between(col, 0, sheet.cols - 1) };
}

/** @param {View} view @param {{x: number, y: number}} at fractions of the view @returns {Place} */
export function placeAt(view, { x, y }) {
  return { row: Math.floor(view.row + y * view.rows), col: Math.floor(view.col + x * view.cols) };
}

/**
 * @param {View} view @param {Place} place @param {{width: number, height: number}} size of the picture of the view
 * @returns {{left: number, top: number, width: number, height: number}|null} where the cell is drawn, null out of view
 */
export function boxIn(view, { row, col }, { width, height }) {
  if (row < view.row - 1 || row > view.row + view.rows || col < view.col - 1 || col > view.col + view.cols) return null;
  const [x, y] = [width / view.cols, height / view.rows];
  return { left: (col - view.col) * x, top: (row - view.row) * y, width: x, height: y };
}

/** @param {View} view @param {Sheet} sheet @returns {View} */
function inside(view, sheet) {
  return {
    ...view,
    row: between(view.row, 0, sheet.rows - view.rows),
    col: between(view.col, 0, sheet.cols - view.cols),
  };
}

/** @param {number} value @param {number} low @param {number} high */
function between(value, low, high) {
  return Math.max(low, Math.min(high, value));
}

/** @param {View} view @param {Sheet} sheet @returns {Cells} all cells of which something can be seen */
export function cellsIn(view, sheet) {
  const end = (/** @type {number} */ from, /** @type {number} */ size, /** @type {number} */ most) =>
    Math.min(most, Math.ceil(from + size - 1e-9));
  return [
    Math.floor(view.row + 1e-9),
    end(view.row, view.rows, sheet.rows),
    Math.floor(view.col + 1e-9),
    end(view.col, view.cols, sheet.cols),
  ];
}

/** @param {Cells} cells */
export function countOf([row0, row1, col0, col1]) {
  return (row1 - row0) * (col1 - col0);
}

/** @param {Cells} cells @param {Cells} part */
export function covers([row0, row1, col0, col1], part) {
  return row0 <= part[0] && row1 >= part[1] && col0 <= part[2] && col1 >= part[3];
}

/** @param {Cells} a @param {Cells} b */
export function meet(a, b) {
  return a[0] < b[1] && b[0] < a[1] && a[2] < b[3] && b[2] < a[3];
}
