import { cellsIn, countOf, covers, meet } from "./viewport.js";
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("./viewport.js").Cells} Cells */
/** @typedef {import("./viewport.js").Sheet} Sheet */
/** @typedef {import("./viewport.js").View} View */
/**
 * @typedef {{cells: Cells, tensor: Tensor, rows: number, cols: number}} Layer a piece of the sheet as it was
 *   sent: every cell of it, or fewer blocks than cells
 */

/** What the server sends of a window: every cell up to so many, a tile of so many blocks beyond. */
const EVERY_CELL = 65536;
const BLOCKS = EVERY_CELL / 3;
const KEPT = 8;
/** A picture may be so much coarser, along each side, than the one that could be had. */
const SLACK = 1.35;

/** @param {Cells} cells @param {Tensor} tensor @returns {Layer} */
export function layerOf(cells, tensor) {
  const block = tensor.block !== null;
  const { rows, cols } = block ? tensor.grid : { rows: cells[1] - cells[0], cols: cells[3] - cells[2] };
  return { cells, tensor, rows, cols };
}

/** @param {Layer} layer @returns {number} how many cells of the sheet, along each side, make one of its own */
export function coarseness({ cells, rows, cols }) {
  return Math.sqrt(countOf(cells) / (rows * cols));
}

/** @param {Layer} layer @returns {boolean} */
export function isExact({ tensor }) {
  return tensor.block === null;
}

/** The pieces of one tensor that are here already, the tile of the whole at the bottom. */
export class Layers {
  /** @param {Sheet} sheet @param {Layer} base */
  constructor(sheet, base) {
    this.sheet = sheet;
    this.base = base;
    /** @type {Layer[]} from the latest on */
    this.kept = [];
  }

  /** @param {Layer} layer */
  add(layer) {
    this.kept = [layer, ...this.kept].slice(0, KEPT);
  }

  /** @param {View} view @returns {Layer} the finest one that shows all of the view */
  best(view) {
    const cells = cellsIn(view, this.sheet);
    const all = [this.base, ...this.kept].filter((layer) => covers(layer.cells, cells));
    return all.reduce((a, b) => (coarseness(b) < coarseness(a) ? b : a));
  }

  /** @param {View} view @returns {Layer[]} what is to be drawn, from the coarsest up */
  drawn(view) {
    const cells = cellsIn(view, this.sheet);
    const best = this.best(view);
    const finer = this.kept.filter((layer) => meet(layer.cells, cells) && coarseness(layer) < coarseness(best) * 0.99);
    return [best, ...finer.sort((a, b) => coarseness(b) - coarseness(a)).slice(-2)];
  }

  /** @param {View} view @returns {Cells|null} the window to ask for, null where what is here will do */
  wanted(view) {
    const cells = cellsIn(view, this.sheet);
    const ideal = Math.max(1, Math.sqrt(countOf(cells) / BLOCKS));
    const exact = countOf(cells) <= EVERY_CELL;
    const best = this.best(view);
    if (exact ? isExact(best) : coarseness(best) <= ideal * SLACK) return null;
    return exact ? this.#grown(cells) : cells;
  }

  /**
   * @param {Cells} cells
   * @returns {Cells} with as much around them as still comes cell by cell, so that panning need not wait
   */
  #grown([row0, row1, col0, col1]) {
    const [rows, cols] = [row1 - row0, col1 - col0];
    const more = Math.min(1, (Math.sqrt(EVERY_CELL / (rows * cols)) - 1) / 2);
    const [down, right] = [Math.floor(rows * more), Math.floor(cols * more)];
    return [
      Math.max(0, row0 - down),
      Math.min(this.sheet.rows, row1 + down),
      Math.max(0, col0 - right),
      Math.min(this.sheet.cols, col1 + right),
    ];
  }
}
