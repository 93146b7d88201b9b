import { numberText } from "../shared/format.js";
import { blockText, cellWords } from "../shared/axis-labels.js";
import { isExact } from "./layers.js";
import { valueIn } from "./pooling.js";
import { cellOnSheet } from "./sheet.js";
import { cellsIn, countOf } from "./viewport.js";
/** @typedef {import("./layers.js").Layers} Layers */
/** @typedef {import("./pooling.js").Pooling} Pooling */
/** @typedef {import("./viewport.js").View} View */

/** More cells than these are not read as numbers. */
export const MOST_NUMBERS = 2000;
const POOLED = { mean: "mean", min: "least", max: "greatest" };

/** @param {View} view @param {Layers} layers @returns {string} "rows 480–511, columns 500–515: every cell" */
export function viewWords(view, layers) {
  const [row0, row1, col0, col1] = cellsIn(view, layers.sheet);
  const span = (/** @type {number} */ from, /** @type {number} */ to) =>
    to - from === 1 ? `${from.toLocaleString("en")}` : `${from.toLocaleString("en")}–${(to - 1).toLocaleString("en")}`;
  const best = layers.best(view);
  const how = isExact(best)
    ? "every cell"
    : `blocks of ${blockText(best.cells[1] - best.cells[0], best.cells[3] - best.cells[2], best)} cells`;
  return `rows ${span(row0, row1)}, columns ${span(col0, col1)} · ${how}`;
}

/**
 * @param {View} view @param {Layers} layers
 * @returns {import("./viewport.js").Cells|null} the cells of the view if they are here and few enough for a table
 */
export function readable(view, layers) {
  const cells = cellsIn(view, layers.sheet);
  return countOf(cells) <= MOST_NUMBERS && isExact(layers.best(view)) ? cells : null;
}

/**
 * @param {{walk: import("../walk/walk.js").Walk, node: import("../walk/types.js").WalkNode}} subject
 * @param {Layers} layers @param {View} view what is looked at @param {Pooling} pooling
 * @param {import("./viewport.js").Place} cell
 * @returns {{index: string, words: string, value: string}} of one cell, as exactly as it is known
 */
export function readoutOf({ walk, node }, layers, view, pooling, cell) {
  const best = layers.best({ ...cell, rows: 1, cols: 1 });
  const layer = isExact(best) ? best : layers.best(view);
  const index = cellOnSheet(node.shape, cell.row, cell.col);
  const words = cellWords(walk.document.labels, node.dims, node.shape, index);
  const kind = isExact(layer) ? "" : `${POOLED[pooling]} of the block there: `;
  return {
    index: `[${index.join(", ")}]`,
    words: ` ${words} · ${kind}`,
    value: numberText(valueIn(layer, pooling, cell.row, cell.col), 6),
  };
}
