import { focusRow, labelOf } from "../shared/axis-labels.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {{rows: string[], cols: string[], labelled: boolean}} Names without labels the places' numbers */
/** @typedef {{gutter: number, head: number, type: number, row: number, named: number, pitch: number}} Measure */

/** Room for the labels, and one row's height; on a projector only the row that is chosen is named, beside the board. */
const DESK = { gutter: 68, head: 15, type: 10, row: 12, named: 5, pitch: 15 };
const HALL = { gutter: 0, head: 28, type: 21, row: 9.3, named: 3, pitch: 26 };
/** What the board leaves of a window for charts and words, more where they have less width; what it needs itself. */
const REST = 586;
const NARROW_REST = 720;
const LEAST = 194;
/** The height that a row's name needs. */
export const LABEL = 9;
/** The width of a cell that has room for its letter. */
const WIDTH = { desk: 18, hall: 21 };
/** Beside an open number there is no hint below the board. */
const UNHINTED = 38;

/**
 * @param {number} rows @param {{projector: boolean, open: boolean}} look `open`: a number is
 * @param {{width: number, height: number, scale: number}} screen `scale`: how much larger the page's letters are
 * @param {number} height what there is for a picture @returns {Measure}
 */
export function measureOf(rows, { projector, open }, screen, height) {
  const { head, row, ...rest } = projector ? scaled(HALL, screen.scale) : DESK;
  const usual = rows < 16 ? Math.min(28, 240 / rows) : rows > 40 ? Math.max(3, 480 / rows) : row;
  const left = screen.height - (screen.width > 1080 ? REST : NARROW_REST);
  const onDesk = projector ? Infinity : Math.max(3, (Math.max(LEAST, left) - head) / rows);
  // beside an open number it takes the room of a picture
  const beside = open ? Math.max(2, (height + UNHINTED - head - 8) / rows) : Infinity;
  return { head, ...rest, row: Math.min(usual, onDesk, beside) };
}

/** @param {Measure} measure @param {number} by @returns {Measure} for a window so much larger */
function scaled({ head, type, row, ...rest }, by) {
  return { ...rest, head: head * by, type: type * by, row: row * by };
}

/** @param {Measure} measure @param {number} cols @param {number} room @param {number} scale of the page's letters */
export function cellWidth({ gutter, row }, cols, room, scale) {
  const wanted = Math.max(gutter ? WIDTH.desk : WIDTH.hall * scale, row * 1.4);
  return Math.max(4, Math.min(wanted, (room - gutter) / cols));
}

/** @param {Measure} measure @param {number} at @returns {string} where the frame around a row stands */
export function barOver({ row, gutter, head }, at) {
  const [left, top] = [row < LABEL ? gutter - 3 : 0, head + at * row - 1.5];
  return `left:${left}px;top:${top}px;height:${row + 3}px`;
}

/** @param {Frame} frame @param {Tensor} tensor @returns {number} the row where one begins */
export function focusOf({ walk, node }, tensor) {
  return focusRow(walk.document.in_focus, node.dims, tensor) ?? 0;
}

/** @param {Frame} frame @param {Tensor} tensor @returns {Names} */
export function namesOf(frame, tensor) {
  const { labels } = frame.walk.document;
  const [rowDim, colDim] = frame.node.dims;
  return {
    rows: Array.from({ length: tensor.grid.rows }, (_, i) => labelOf(labels, rowDim, i) ?? String(i)),
    cols: Array.from({ length: tensor.grid.cols }, (_, i) => labelOf(labels, colDim, i) ?? String(i)),
    labelled: labelOf(labels, colDim, 0) !== null,
  };
}
