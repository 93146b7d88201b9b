import { columnTicks, drawnSide, focusRow, ticks } from "../shared/axis-labels.js";
import { sheetOf } from "./equation-layout.js";
import { el } from "../shared/dom/elements.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./items.js").Item} Item */
/** @typedef {import("./items.js").Piece} Piece */
/** @typedef {import("./equation-layout.js").Room} Room */
/** @typedef {import("./equation-layout.js").Unit} Unit */

const LINE = 9;
const MANY = 200;
const ORDINALS = new Intl.PluralRules("en", { type: "ordinal" });
/** @type {Record<string, string>} */
const SUFFIX = { one: "st", two: "nd", few: "rd", other: "th" };

/** @param {Frame} frame @returns {boolean} whether the charts, which have names at their sides, are folded */
export function isNamed({ step, state }) {
  return step.direction === "forward" && !state.projector;
}

/** @param {Frame} frame @param {Item[]} row @returns {Piece|null} the tensor at whose rows the names stand */
function namedPiece(frame, [first]) {
  const piece = first?.type === "tensor" ? first : first?.type === "sum" ? first.from : null;
  return piece && isNamed(frame) && piece.dims.length > 1 && !piece.stretch && piece.tensor.grid.rows > 1
    ? piece
    : null;
}

/** @param {Frame} frame @param {Piece} piece */
function rowsOf(frame, piece) {
  return drawnSide(frame.walk.document.labels, piece.dims, piece.tensor, "rows");
}

/** @param {Item} item @returns {boolean} whether rows of it are outlined, as an example of all */
function isMarked(item) {
  return item.type === "tensor" && item.marks.some(({ to }) => to !== undefined);
}

/**
 * @param {Frame} frame @param {Item[]} row @param {boolean} narrow whether there is room only for what is needed
 * @returns {number} what the names at the left take
 */
export function namesWidth(frame, row, narrow) {
  const piece = namedPiece(frame, row);
  if (!piece || (narrow && !row.some(isMarked))) return 0;
  const { count, name, title } = rowsOf(frame, piece);
  const longest = Math.max(...Array.from({ length: Math.min(count, MANY) }, (_, i) => name(i).length));
  const least = title.length > 9 ? 34 : title.length * 6 + 27;
  return Math.min(96, Math.max(least, longest * 6.1 + 12));
}

/**
 * @param {Frame} frame @param {Item[]} row @param {Unit} unit @param {Room} room
 * @returns {HTMLElement|null} the names of the first tensor's rows: of every one that has room
 */
export function rowNames(frame, row, unit, room) {
  const width = room.names;
  const piece = namedPiece(frame, row);
  if (!piece || !width) return null;
  const { count, name, title } = rowsOf(frame, piece);
  const height = Math.round(sheetOf(piece).rows * unit.y);
  const focus = focusRow(frame.walk.document.in_focus, piece.dims, piece.tensor);
  const named = ticks(count, height, LINE, focus);
  const names = named.map((i) =>
    el(
      "span",
      { class: i === focus ? "in-focus" : null, style: `top:${(((i + 0.5) / count) * height).toFixed(1)}px` },
      name(i),
    ),
  );
  return el(
    "div",
    { class: "side-names", "aria-hidden": "true", style: `width:${width}px` },
    el("div", { class: "label" }, el("span", {}, title && `${everyWords(named)}↓\u00a0${title}`)),
    el("div", { class: "names" }, ...names),
  );
}

/** @param {number[]} named rows @returns {string} which of them are, where not all */
function everyWords([first, second]) {
  const apart = second - first;
  return apart > 1 ? `every\u00a0${apart}${SUFFIX[ORDINALS.select(apart)]} ` : "";
}

/** @param {Frame} frame @param {Piece} piece @param {number} width @returns {HTMLElement|null} names of its columns */
export function ticksBelow(frame, piece, width) {
  if (!isNamed(frame) || piece.stretch) return null;
  const named = columnTicks(frame.walk.document.labels, piece.dims, piece.tensor, width);
  if (!named.length) return null;
  const spans = named.map(({ name, centre }) => el("span", { style: `left:${centre.toFixed(1)}px` }, name));
  return el("div", { class: "ticks", "aria-hidden": "true", style: `width:${width}px` }, ...spans);
}
