import { focusRow } from "../shared/axis-labels.js";
import { shapeText } from "../shared/format.js";
import { isRounding } from "../walk/picture-peak.js";
import { boxOf, drawnBox, elided, fitsBeside, nameHalves, sheetOf, signWidth, slotOf } from "./equation-layout.js";
import { piecesOf } from "./items.js";
import { el } from "../shared/dom/elements.js";
import { rootScale } from "../shared/dom/root-scale.js";
import { ticksBelow } from "./axis-view.js";
import { drawCurve, SIDE } from "./curve-view.js";
import { drawPicture } from "./piece-view.js";
import { overlay } from "./overlay-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./items.js").Item} Item */
/** @typedef {import("./items.js").Piece} Piece */
/** @typedef {import("./items.js").Sum} Sum */
/** @typedef {import("./equation-layout.js").Unit} Unit */
/** @typedef {import("./equation-layout.js").Room} Room */
/** @typedef {import("../lens/pickable-cells-view.js").Map} Sheet */
/** @typedef {import("./piece-view.js").Look} Look */
/** @typedef {import("./piece-view.js").Drawn & {max: number, sheet: Sheet}} Drawn */
/**
 * @typedef {{unit: Unit, room: Room, peaks: Map<string, number>, frame: Frame, sheets: Sheet[],
 *   stages: Map<Piece, HTMLElement>, drawn: Map<Piece, Drawn>}} Paint `drawn`: whatever can be moved, or painted anew
 */

/** The largest numbers in cells on a projector. */
const HALL_TYPE = 30;

/**
 * @param {Item[]} row @param {Paint} paint
 * @returns {number} height of the tallest tensor, on whose middle the signs stand
 */
export function tallest(row, paint) {
  const pieces = row.flatMap((item) => (item.type === "sum" && item.down ? [item.from] : piecesOf(item)));
  const curve = row.some((item) => item.type === "sign" && item.curve) && !paint.frame.state.projector;
  return Math.max(
    curve ? SIDE + 34 : 24,
    ...pieces.map((piece) => boxOf(sheetOf(piece), paint.unit, paint.room.thin).height),
  );
}

/** @param {Frame} frame @returns {number} height of a number on its own */
function scalarHeight({ state }) {
  return (state.projector ? 64 : 34) * rootScale();
}

/**
 * @param {Piece} piece @param {number} max @param {{width: number, height: number}} size @param {Frame} frame
 * @returns {Look}
 */
export function lookOf(piece, max, { width, height }, { walk, state }) {
  const rounding = isRounding(walk, piece.subject, piece.tensor);
  const type = state.projector ? HALL_TYPE * rootScale() : undefined;
  const focus = focusRow(walk.document.in_focus, piece.dims, piece.tensor);
  return { max, width, height, theme: state.theme, rounding, type, focus };
}

/** @param {Item} item @param {Paint} paint @returns {HTMLElement} */
export function drawItem(item, paint) {
  if (item.type === "sign") return drawSign(item, paint);
  if (item.type === "tensor") return drawPiece(item, paint);
  return item.down ? drawSumDown(item, paint) : drawSumAcross(item, paint);
}

/** @param {import("./equation.js").Sign|Sum} item @param {Paint} paint */
function drawSign(item, paint) {
  const [text, words] = item.type === "sum" ? [item.mark, item.words] : [item.text, item.words];
  const style = `width:${signWidth(item, paint.room.sign)}px`;
  if (item.type === "sign" && item.curve && !paint.frame.state.projector)
    return el("div", { class: "sign with-curve", style }, el("span"), drawCurve(item.curve, words));
  return el(
    "div",
    { class: item.type === "sum" ? "sign sum" : "sign", style },
    el("span"),
    el(
      "div",
      { class: "mark" },
      el("span", { class: text.length > 1 ? "spelled" : "" }, text),
      words ? el("span", { class: "words" }, words) : null,
    ),
  );
}

/** @param {Sum} sum @param {Paint} paint */
function drawSumAcross(sum, paint) {
  const box = el("div", { class: "equation-part", style: "display:contents" });
  box.append(drawPiece(sum.from, paint, "sum-from"), drawSign(sum, paint), drawPiece(sum.result, paint, "sum-to"));
  return box;
}

/** @param {Sum} sum @param {Paint} paint */
function drawSumDown(sum, paint) {
  const from = drawPiece(sum.from, paint, "sum-from");
  const result = drawPiece(sum.result, paint, "sum-to");
  const [label, stage, ...rest] = [...result.children];
  const caption = rest.pop();
  const down = el("div", { class: "down" }, sum.mark, el("span", { class: "words" }, `${sum.words} ↓`));
  result.className += " beside";
  result.replaceChildren(stage, ...rest, el("div", { class: "below" }, label, caption));
  return el("div", { class: "sum-down" }, from, down, result);
}

/** @param {Piece} piece @param {Paint} paint @param {string} [name] */
function drawPiece(piece, paint, name = "") {
  const max = paint.peaks.get(piece.scale) ?? 0;
  const scalar = piece.tensor.size === 1 && !piece.stretch;
  const slot = Math.floor(slotOf(piece, paint.room) * paint.unit.squeeze);
  const size = drawnBox(piece, paint.unit, paint.room.thin, slot);
  const label = labelOf(piece, Math.max(size.width, slot) / rootScale(), paint);
  const axis = scalar || (!name && sheetOf(piece).rows === 1 && size.height < 40) ? " on-axis" : "";
  const look = lookOf(piece, max, size, paint.frame);
  const { picture, caption } = drawPicture(piece, look);
  const stage = el(
    "div",
    { class: "stage", style: `min-width:${size.width}px` },
    mapOf(piece, picture, size, paint),
    overlay(piece, look),
  );
  paint.stages.set(piece, stage);
  paint.drawn.set(piece, { picture, caption, max, sheet: /** @type {Sheet} */ (paint.sheets.at(-1)) });
  return el(
    "div",
    {
      class: `piece ${name}${piece.result ? " is-result" : ""}${piece.struck ? " is-struck" : ""}${axis}`,
      style: `--own:${scalar ? scalarHeight(paint.frame) : size.height}px;width:${Math.max(size.width, slot)}px`,
    },
    label,
    stage,
    piece.result ? ticksBelow(paint.frame, piece, size.width) : null,
    caption,
  );
}

/** @param {Piece} piece @param {number} width @param {Paint} paint @returns {HTMLElement} its name and its part here */
function labelOf({ label, role }, width, { room: { tight }, frame }) {
  const told = frame.state.projector ? label : elided(label, tight ? width - 6 : width, tight ? 1 : 2);
  const halves = tight ? [told] : nameHalves(told, width);
  const name = el("b", { title: label }, ...halves.flatMap((half, i) => (i ? [el("wbr"), half] : [half])));
  const what = tight && !fitsBeside(label, role, width) ? "" : role;
  return el("div", { class: "label" }, name, el("span", {}, what || "\u00a0"));
}

/**
 * @param {Piece} piece @param {HTMLElement} picture @param {{width: number, height: number}} size @param {Paint} paint
 * @returns {HTMLElement} whose cells can be picked
 */
function mapOf(piece, picture, size, { sheets, frame }) {
  const { subject } = piece;
  const shape = shapeText(subject ? frame.walk.node(subject.tensor).shape : piece.shape);
  const change = frame.delta ? "change of " : "";
  const label = subject
    ? `${change}${nameOf(piece, subject)}, ${shape}; arrow keys pick a cell, Enter looks inside`
    : `${piece.label}, ${shape}; arrow keys read a cell`;
  const element = el(
    "div",
    {
      class: "map",
      role: "group",
      tabindex: 0,
      "data-map": subject
        ? `${subject.of} ${subject.tensor} ${subject.path ?? sheets.length}`
        : `${piece.label} ${sheets.length}`,
      "aria-label": label,
    },
    picture,
  );
  const kind = ["so far", "this path"].find((words) => words === piece.role || words === piece.label);
  const { tensor, stretch, label: name, dims } = piece;
  sheets.push({ element, tensor, subject, stretch, name, dims, kind, ...size });
  return element;
}

/** @param {Piece} piece @param {import("../walk/pick.js").Subject} subject */
function nameOf({ role }, { of, tensor }) {
  return `${role && role !== of ? `${role}, ` : ""}${of} of ${tensor}`;
}
