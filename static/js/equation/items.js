import { shapeText } from "../shared/format.js";
import { gridOf, ravel } from "../shared/tensor.js";
import { numel } from "../shared/shape.js";
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("../walk/pick.js").Subject} Subject */
/**
 * Outlined cells: the first one's place in row-major order, how many side by side and one below the other, what is
 * written beside them, and where they go.
 * @typedef {{at: number, cells: number, rows?: number, text: string, to?: number}} Mark
 */
/**
 * A vector that is `turned` is drawn as a column; what is `struck` is no part of the line that is run. `joints` lie
 * between blocks of so many columns, drawn as a gap or as a seam.
 * @typedef {{type: "tensor", label: string, role: string, tensor: Tensor, shape: number[], dims: string[],
 *   stretch: number[]|null, scale: string, subject: Subject|null, result: boolean, turned: boolean,
 *   struck: boolean, marks: Mark[], joints: {every: number, gap: boolean}|null}} Piece
 * @typedef {{type: "sign", text: string, words: string, curve?: [Piece, Piece]}} Sign a function of one cell has a
 *   `curve`, from the numbers before to those after
 * @typedef {{type: "sum", mark: string, axis: number, words: string, down: boolean, from: Piece, result: Piece}} Sum
 * @typedef {Piece|Sign|Sum} Item
 * @typedef {{rows: Item[][], spoken: string, links?: [Piece, Piece]|null}} Scene
 */

/** More cells than this are not drawn as copies of a few. */
const MOST_COPIES = 65536;
/** The word before what a line leaves out. */
export const WITHOUT = "without";

/** @param {Partial<Piece> & {label: string, tensor: Tensor}} parts @returns {Piece} */
export function piece(parts) {
  return {
    type: "tensor",
    role: "",
    shape: parts.tensor.whole,
    dims: [],
    stretch: null,
    scale: parts.label,
    subject: null,
    result: false,
    turned: false,
    struck: false,
    marks: [],
    joints: null,
    ...parts,
  };
}

/** @param {string} text @param {string} [words] @returns {Sign} */
export function sign(text, words = "") {
  return { type: "sign", text, words };
}

/**
 * @param {number[]} shape @param {number[]} goal @returns {number[]|null} the goal if the shape is copied to reach it
 */
export function stretchTo(shape, goal) {
  if (shape.length > goal.length || shape.join() === goal.join()) return null;
  const padded = [...new Array(goal.length - shape.length).fill(1), ...shape];
  return padded.every((size, axis) => size === goal[axis] || size === 1) ? goal : null;
}

/**
 * @param {Piece} one @param {number[]} goal
 * @returns {Piece} with the pale copies that broadcasting makes; a single number stays one, and so does what is too
 *   large
 */
export function stretched(one, goal) {
  const cells = numel(goal);
  return !one.shape.length || one.tensor.block || cells > MOST_COPIES || !tiles(one.shape, goal)
    ? one
    : { ...one, stretch: stretchTo(one.shape, goal) };
}

/**
 * @param {number[]} shape @param {number[]} goal
 * @returns {boolean} whether the copies are the sheet itself, laid side by side and one below the other
 */
function tiles(shape, goal) {
  const padded = [...new Array(Math.max(0, goal.length - shape.length)).fill(1), ...shape];
  const [own, sheet] = [gridOf(shape), gridOf(goal)];
  const corner = goal.map((size) => size - 1);
  const ends = goal.flatMap((size, axis) => [1, size - 1].map((at) => goal.map((_, k) => (k === axis ? at : 0))));
  return [corner, ...ends].every((index) => {
    const at = ravel(goal, index);
    if (at < 0) return true;
    const [row, col] = [Math.floor(at / sheet.cols), at % sheet.cols];
    const origin = ravel(
      padded,
      index.map((place, axis) => (padded[axis] === 1 ? 0 : place)),
    );
    return origin === (row % own.rows) * own.cols + (col % own.cols);
  });
}

/** @param {number[]} axes @returns {string} such as `axes 0, 2` */
export function axesWords(axes) {
  return `${axes.length > 1 ? "axes" : "axis"} ${axes.join(", ")}`;
}

/**
 * @param {Piece} from @param {Piece} result @param {number[]} axes @param {string} [mark] @param {string} [factor]
 * @returns {Sum} many cells that become one: below them where rows do, beside them otherwise
 */
export function fold(from, result, axes, mark = "Σ", factor = "") {
  const rank = from.shape.length;
  const over = axesWords(axes);
  const down = rank === 1 || (axes[0] === 0 && rank === 2 && axes.length === 1);
  return { type: "sum", mark, axis: axes[0] ?? 0, words: factor ? `${over} · ${factor}` : over, down, from, result };
}

/** @param {Item[]} row @returns {Item[]} what the line itself computes, without what it leaves out */
export function ownItems(row) {
  const end = row.findIndex((item) => item.type === "sign" && item.words === WITHOUT);
  return end < 0 ? row : row.slice(0, end);
}

/** @param {Piece[]} operands @param {string} symbol @returns {Item[]} */
export function joined(operands, symbol) {
  return operands.flatMap((operand, i) => (i ? [sign(symbol || "·"), operand] : [operand]));
}

/** @param {Item[][]} rows @returns {string} the equation in words, for a screen reader */
export function spokenOf(rows) {
  return rows.map((row) => row.map(spokenItem).join(" ")).join("; ");
}

/** @type {Record<string, string>} */
const FOLDED = { Σ: "summed", Π: "multiplied" };

/** @param {Item} item @returns {string} */
function spokenItem(item) {
  if (item.type === "sign") return item.words || item.text;
  if (item.type === "sum")
    return [
      spokenItem(item.from),
      FOLDED[item.mark] ?? item.mark,
      "over",
      item.words,
      "gives",
      spokenItem(item.result),
    ].join(" ");
  return `${item.label} ${shapeText(item.shape)}`;
}

/** @param {Item} item @returns {Piece[]} */
export function piecesOf(item) {
  if (item.type === "sign") return [];
  return item.type === "sum" ? [item.from, item.result] : [item];
}
