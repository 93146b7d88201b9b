import { unravel } from "./tensor.js";
import { numel } from "./shape.js";

/**
 * @param {Record<string, string[]>} labels @param {string|undefined} dim @param {number} position
 * @returns {string|null} the label a person knows this position by
 */
export function labelOf(labels, dim, position) {
  return (dim !== undefined && labels[dim]?.[position]) || null;
}

/** @param {string|undefined} dim @param {number} axis @returns {string} */
export function axisName(dim, axis) {
  return dim && !/^axis \d+$/.test(dim) ? dim : `axis ${axis}`;
}

/** @param {string[]} dims @param {number[]} axes of one side @returns {string} "axis 0 · class", "axes 0 · 1 · 2" */
function titleOf(dims, axes) {
  const names = axes.map((axis) => axisName(dims[axis], axis));
  const plain = names.length > 1 && names.every((name, i) => name === axisName(undefined, axes[i]));
  return plain ? `axes ${axes.join(" · ")}` : names.join(" · ");
}

/**
 * @param {{shape: number[], dims: string[]}} node
 * @param {{whole: number[]}} tensor its value, or what is said to be its gradient
 * @returns {string[]} the names of the tensor's axes: the node's, where the shape is the node's
 */
export function dimsFor({ shape, dims }, { whole }) {
  return whole.join() === shape.join() ? dims : [];
}

/**
 * @param {Record<string, string[]>} labels @param {string[]} dims @param {number[]} shape @param {number[]} index
 * @returns {string} "example ..a → k (3), class k (11)"; an axis kept with a single cell has nothing to say
 */
export function cellWords(labels, dims, shape, index) {
  return index
    .map((position, axis) => (shape[axis] === 1 ? "" : axisWords(labels, dims[axis], axis, position)))
    .filter(Boolean)
    .join(", ");
}

/**
 * @param {Record<string, string[]>} labels @param {string|undefined} dim @param {number} axis @param {number} position
 * @returns {string} "class k (11)"; "digit 8", whose label says the same
 */
export function axisWords(labels, dim, axis, position) {
  const label = labelOf(labels, dim, position);
  return `${axisName(dim, axis)} ${label && label !== String(position) ? `${label} (${position})` : position}`;
}

/**
 * Names of the columns (or rows) of a tensor laid on a sheet.
 * @param {Record<string, string[]>} labels @param {string[]} dims @param {number[]} shape
 * @param {"rows"|"cols"} side @returns {{title: string, names: string[]}}
 */
export function sideLabels(labels, dims, shape, side) {
  const axes = sideAxes(shape.length, side).filter((axis) => shape[axis] !== 1);
  if (!axes.length) return { title: "", names: [""] };
  const title = titleOf(dims, axes);
  let names = [""];
  for (const axis of axes) {
    const own = Array.from({ length: shape[axis] }, (_, i) => labelOf(labels, dims[axis], i) ?? String(i));
    names = names.flatMap((prefix) => own.map((name) => (prefix ? `${prefix} · ${name}` : name)));
  }
  return { title, names };
}

/**
 * One side of a drawn tensor. A tile of a large tensor is cut from a sheet of its own, and its sides count the cells
 * of the tensor, not the blocks.
 * @param {Record<string, string[]>} labels @param {string[]} dims @param {import("./tensor.js").Tensor} tensor
 * @param {"rows"|"cols"} side @returns {{title: string, count: number, name: (place: number) => string}}
 */
export function drawnSide(labels, dims, { whole, block }, side) {
  const axes = sideAxes(whole.length, side, block !== null).filter((axis) => whole[axis] !== 1);
  const sizes = axes.map((axis) => whole[axis]);
  const name = (/** @type {number} */ place) =>
    unravel(sizes, place)
      .map((at, i) => labelOf(labels, dims[axes[i]], at) ?? String(at))
      .join(" · ");
  return { title: titleOf(dims, axes), count: numel(sizes), name };
}

/**
 * @param {number} rows @param {number} cols of a sheet @param {{rows: number, cols: number}} drawn
 * @returns {string} "4–5 × 1": how many cells make one that is drawn, where not all blocks are equal
 */
export function blockText(rows, cols, drawn) {
  return [rows / drawn.rows, cols / drawn.cols].map(lengthText).join(" × ");
}

/** @param {number} mean @returns {string} the one or two whole numbers of cells whose mean this is */
function lengthText(mean) {
  return Number.isInteger(mean) ? String(mean) : `${Math.floor(mean)}–${Math.ceil(mean)}`;
}

/** @param {import("./tensor.js").Tensor} tensor a tile @returns {string} how many cells make one that is drawn */
export function blockOf({ whole, grid }) {
  const cols = whole[whole.length - 1] ?? 1;
  return blockText(numel(whole) / cols, cols, grid);
}

/**
 * @param {number} count @param {"rows"|"cols"} side @param {boolean} [tiled]
 * @returns {number[]} the axes that run along this side of the sheet
 */
function sideAxes(count, side, tiled = false) {
  if (count === 0) return [];
  if (count === 1) return side === "cols" ? [0] : [];
  const split = count === 3 && !tiled ? 1 : count - 1;
  const axes = Array.from({ length: count }, (_, axis) => axis);
  return side === "rows" ? axes.slice(0, split) : axes.slice(split);
}

/**
 * Which of `count` labels to print when each needs `need` pixels and `room` are there; `through` is one of them.
 * @param {number} count @param {number} room @param {number} need @param {number|null} [through] @returns {number[]}
 */
export function ticks(count, room, need, through = 0) {
  const every = Math.max(1, Math.ceil((need * count) / Math.max(1, room)));
  const first = (through ?? 0) % every;
  return Array.from({ length: Math.ceil((count - first) / every) }, (_, i) => first + i * every);
}

/**
 * @param {Record<string, number>|undefined} focus the places shown as examples of all, by axis @param {string[]} dims
 * @param {import("./tensor.js").Tensor} tensor @returns {number|null} the row of its sheet that is one
 */
export function focusRow(focus, dims, { shape, grid, block }) {
  const row = focus?.[dims[0]];
  return row !== undefined && !block && shape[0] === grid.rows && row < grid.rows ? row : null;
}

/** Names that are measured: beyond, they are numbers, or as long as those before. */
const MANY = 2000;

/**
 * The names below a drawn tensor: of its columns, or of its blocks of columns where two axes lie side by side.
 * @param {Record<string, string[]>} labels @param {string[]} dims @param {import("./tensor.js").Tensor} tensor
 * @param {number} width @returns {{name: string, centre: number}[]} where there is room for them
 */
export function columnTicks(labels, dims, tensor, width) {
  const { title, name, count } = columnsOf(labels, dims, tensor);
  if (!title || count < 2) return [];
  const names = Array.from({ length: Math.min(count, MANY) }, (_, i) => name(i));
  const longest = Math.max(...names.map((one) => one.length));
  const numbers = names.every((one, i) => one === String(i));
  return ticks(count, width, numbers ? 34 : longest * 6.2 + (longest > 1 ? 18 : 4)).map((i) => {
    const half = name(i).length * 3.1;
    return { name: name(i), centre: Math.max(half, Math.min(width - half, ((i + 0.5) / count) * width)) };
  });
}

/**
 * @param {Record<string, string[]>} labels @param {string[]} dims @param {import("./tensor.js").Tensor} tensor
 * @returns {{title: string, count: number, name: (place: number) => string}} of two axes side by side, the outer one
 */
function columnsOf(labels, dims, tensor) {
  const { whole, block } = tensor;
  if (whole.length !== 3 || block || whole[1] === 1 || whole[2] === 1) return drawnSide(labels, dims, tensor, "cols");
  const name = (/** @type {number} */ place) => labelOf(labels, dims[1], place) ?? String(place);
  return { title: axisName(dims[1], 1), count: whole[1], name };
}
