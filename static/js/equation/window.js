import { answerOf } from "../lens/pointing.js";
import { ownItems, piecesOf } from "./items.js";
import { sheetOf } from "./equation-layout.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./items.js").Mark} Mark */
/** @typedef {import("./items.js").Piece} Piece */
/** @typedef {import("./items.js").Scene} Scene */

/** A sign of these says that a kernel slides: `x ∗ w`, and of the kernel's gradient `x ⋆ dy`. */
const SLIDES = new Set(["∗", "⋆"]);
/** More outlines than these would be a grid, and say nothing. */
const MOST = 64;

/**
 * A convolution with its kernel over one patch: the cell of the result that is picked, or else its middle one, and in
 * the other tensors the cells that it is made of.
 * @param {Frame} frame @param {Scene} scene @returns {Scene}
 */
export function withWindow(frame, scene) {
  if (frame.inspecting || !slides(scene)) return scene;
  const pieces = scene.rows.flatMap((row) => ownItems(row).flatMap(piecesOf));
  const made = pieces[pieces.length - 1];
  if (pieces.some(({ tensor }) => tensor.block)) return scene; // of a large tensor blocks are drawn, and no cells
  const { piece, cell } = pickedIn(frame, pieces) ?? { piece: made, cell: middleOf(made.tensor.whole) };
  const answer = answerOf(frame, asSheet(piece), cell);
  for (const one of pieces) one.marks = marksOf(answer.cellsIn(asSheet(one)), one);
  return scene;
}

/** @param {Scene} scene @returns {boolean} whether a kernel slides in it */
export function slides({ rows }) {
  return rows.flat().some((item) => item.type === "sign" && SLIDES.has(item.text));
}

/**
 * @param {Frame} frame @param {Piece[]} pieces @returns {{piece: Piece, cell: number[]}|null} where a cell is picked
 */
function pickedIn({ pick }, pieces) {
  const piece = pick && pieces.find(({ subject }) => subject?.tensor === pick.tensor && subject.of === pick.which);
  return piece ? { piece, cell: pick.index } : null;
}

/** @param {number[]} shape @returns {number[]} of the last axes the middle, of all before them the first */
function middleOf(shape) {
  const slides = Math.max(0, shape.length - 2);
  return shape.map((size, axis) => (axis < shape.length - slides ? 0 : Math.floor(size / 2)));
}

/** @param {Piece} piece @returns {import("../lens/pointing.js").Sheet} */
function asSheet({ tensor, subject, label, dims }) {
  return { tensor, subject, name: label, dims };
}

/** @param {Set<number>} cells flat positions @param {Piece} piece @returns {Mark[]} */
function marksOf(cells, piece) {
  const rects = rectsOf(cells, sheetOf(piece).cols, channelOf(piece.tensor.whole));
  return rects.length > MOST ? [] : rects.map(({ at, cells: across, rows }) => ({ at, cells: across, rows, text: "" }));
}

/** @param {number[]} shape @returns {number} how many rows of the sheet an image has: below it the next one begins */
function channelOf(shape) {
  if (shape.length < 3) return Infinity;
  return shape.length === 3 ? 1 : shape[shape.length - 2];
}

/**
 * @param {Iterable<number>} cells flat places @param {number} cols of the sheet @param {number} [channel] rows of one
 * @returns {{at: number, cells: number, rows: number}[]} rectangles of just these, for each channel its own
 */
export function rectsOf(cells, cols, channel = Infinity) {
  const sorted = [...cells].sort((a, b) => a - b);
  /** @type {{at: number, cells: number, rows: number}[]} */
  const runs = [];
  for (const cell of sorted) {
    const last = runs[runs.length - 1];
    if (last && last.at + last.cells === cell && cell % cols) last.cells += 1;
    else runs.push({ at: cell, cells: 1, rows: 1 });
  }
  /** @type {typeof runs} */
  const rects = [];
  for (const run of runs) {
    const begins = (run.at / cols) % channel < 1;
    const above = begins
      ? undefined
      : rects.find((one) => one.at + one.rows * cols === run.at && one.cells === run.cells);
    if (above) above.rows += 1;
    else rects.push(run);
  }
  return rects;
}
