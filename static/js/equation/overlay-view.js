import { sheetOf, spread } from "./equation-layout.js";
import { codeLines } from "../shared/category-codes.js";
import { svg } from "../shared/dom/elements.js";
/** @typedef {import("./items.js").Mark} Mark */
/** @typedef {import("./items.js").Piece} Piece */
/** @typedef {{width: number, height: number, type?: number, focus?: number|null}} Size with what is written in it */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */

const GAP = 5;
/** Pictures of one sheet are set apart where each has so much of it. */
const LEAST = 12;
/** Names of cells are no nearer to each other than this. */
const LINE = 13;
/** Outlines stand above and below cells: what is in the lowest row stays to be seen. */
const RIM = { halo: 1.9, mark: 0.6 };
/** The halo of a lower one would hide its neighbour. */
const APART = 8;

/**
 * What is drawn over the cells of a tensor: outlines of some, with their names, and the joints between blocks.
 * @param {Piece} piece @param {Size} size @returns {SVGElement|null}
 */
export function overlay(piece, size) {
  const gaps = gapsOf(piece, size);
  if (!piece.marks.length && !piece.joints && !gaps.length) return null;
  const { width, height } = size;
  const box = svg("svg", { class: "over", width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  const places = piece.marks.map((mark) => placeOf(mark, piece, size));
  const named = piece.marks.flatMap(({ text }, i) => (text ? [{ text, place: places[i] }] : []));
  const heights = spread(
    named.map(({ place }) => place.y + place.height / 2),
    size.type ?? LINE,
  );
  box.append(
    ...gaps,
    ...jointsOf(piece, size),
    ...places.filter(({ height }) => height >= APART).map((place) => framed(place, "halo")),
    ...places.map((place) => framed(place, "mark")),
    ...named.map(({ text, place }, i) => svg("text", { x: place.x - 5, y: heights[i] }, text)),
  );
  return box;
}

/** @param {Box} place @param {"halo"|"mark"} kind @returns {SVGElement} */
function framed({ x, y, width, height }, kind) {
  const rim = RIM[kind];
  return svg("rect", { x, y: y - rim, width, height: height + 2 * rim, class: kind });
}

/** @param {Mark} mark @param {Piece} piece @param {Size} size @returns {Box} of its cells on the drawn sheet */
function placeOf({ at, cells, rows: down = 1 }, piece, size) {
  const { rows, cols } = sheetOf(piece);
  const [x, y] = [size.width / cols, size.height / rows];
  const row = Math.floor(at / cols);
  const across = { x: (at % cols) * x, width: cells * x };
  const written = writtenAt(row, piece, size);
  if (!written || written.size <= y) return { ...across, y: row * y, height: down * y };
  return { ...across, y: written.y - written.size / 2, height: written.size };
}

/** @param {number} row @param {Piece} piece @param {Size} size @returns {{y: number, size: number}|null} its letters */
function writtenAt(row, piece, size) {
  if (!piece.tensor.codes) return null;
  const { size: type, lines } = codeLines(piece.tensor, sheetOf(piece), size);
  const line = lines.find((one) => one.row === row);
  return line ? { y: line.y, size: type } : null;
}

/**
 * A sheet has several pictures in it where a tensor has a third axis, beside each other, or a fourth, one below the
 * other: they stand apart a little.
 * @param {Piece} piece @param {Size} size @returns {SVGElement[]}
 */
function gapsOf(piece, { width, height }) {
  const shape = piece.stretch ?? piece.shape;
  if (piece.tensor.block || piece.joints || shape.length < 3) return [];
  const beside = shape.length === 3;
  const { rows, cols } = sheetOf(piece);
  const [count, length, each] = beside ? [cols, width, shape[2]] : [rows, height, shape[shape.length - 2]];
  if (each < 2 || (each * length) / count < LEAST) return [];
  const places = Array.from({ length: Math.ceil(count / each) - 1 }, (_, i) => ((i + 1) * each * length) / count);
  const d = places.map((at) => (beside ? `M${at} 0V${height}` : `M0 ${at}H${width}`)).join("");
  return d ? [svg("path", { class: "gap", d }), svg("path", { class: "rule", d })] : [];
}

/** @param {Piece} piece @param {Size} size @returns {SVGElement[]} */
function jointsOf(piece, { width, height }) {
  if (!piece.joints) return [];
  const { every, gap } = piece.joints;
  const { cols } = sheetOf(piece);
  const columns = Array.from({ length: Math.ceil(cols / every) - 1 }, (_, i) => ((i + 1) * every * width) / cols);
  if (gap)
    return columns.map((x) => svg("rect", { class: "gap", x: x - GAP / 2, y: -2, width: GAP, height: height + 4 }));
  return columns.map((x) => svg("path", { class: "seam", d: `M${x} -5V${height + 5}` }));
}

/**
 * Curves from outlined cells of one tensor to those of another, in the order of the marks.
 * @param {HTMLElement} box around both @param {HTMLElement} from @param {HTMLElement} to stages that have outlines
 */
export function drawLinks(box, from, to) {
  const [starts, ends] = [from, to].map((stage) => [...stage.querySelectorAll(".over .mark")]);
  const around = box.getBoundingClientRect();
  const paths = starts.flatMap((start, i) => {
    if (!ends[i]) return [];
    const [a, b] = [start.getBoundingClientRect(), ends[i].getBoundingClientRect()];
    const [x, y] = [a.right - around.left, a.top + a.height / 2 - around.top];
    // to where the row begins, and not along it, over its cells
    const [toX, toY] = [ends[0].getBoundingClientRect().left - around.left, b.top + b.height / 2 - around.top];
    const d = `M${x} ${y}C${x + (toX - x) / 2} ${y} ${toX - 24} ${toY} ${toX} ${toY}`;
    return [svg("path", { class: "halo", d }), svg("path", { class: "link-line", d })];
  });
  box.append(
    svg("svg", { class: "links", width: around.width, height: around.height, "aria-hidden": "true" }, ...paths),
  );
}
