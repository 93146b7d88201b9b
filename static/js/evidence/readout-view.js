import { codeAt } from "../shared/category-codes.js";
import { numberText, shapeText } from "../shared/format.js";
import { blockOf, cellWords, drawnSide } from "../shared/axis-labels.js";
import { el } from "../shared/dom/elements.js";
import { KINDS, gradient, shownBy } from "./kinds.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */

/** @param {Frame|null} frame @returns {string} what rows and columns are */
export function axesWords(frame) {
  if (!frame || frame.node.shape.length === 0) return "";
  const manual = gradient(frame, "manual");
  const other = manual && manual.whole.join() !== frame.node.shape.join();
  if (other) return `value: ${shapeText(frame.node.shape)} · manual: ${shapeText(manual.whole)}`;
  const tensor = frame.walk.tensor(frame.node.value);
  const [rows, cols] = [drawnSide({}, frame.node.dims, tensor, "rows"), drawnSide({}, frame.node.dims, tensor, "cols")];
  const columns = cols.title.replace(" · ", tensor.whole.length === 3 ? ", in each " : " · ");
  const tile = tensor.block && `each cell here is the mean of a block of ${blockOf(tensor)}`;
  const beside = frame.step.direction === "forward" && !frame.state.projector; // there the picture names its rows
  return [!beside && rows.title && `rows: ${rows.title}`, columns && `columns: ${columns}`, tile]
    .filter(Boolean)
    .join(" · ");
}

/** @param {Frame|null} frame @returns {string} what the charts are good for, where they are first seen */
export function advice(frame) {
  const first = frame && frame.step.index === frame.walk.forwardCount;
  return first && frame.node.shape.length ? " · point at a cell" : "";
}

/** @param {Frame} frame @param {number[]} cell @returns {(Node|string)[]} the numbers of one cell, in words */
export function readoutOf(frame, cell) {
  const { node, walk } = frame;
  const values = KINDS.flatMap((kind) => {
    const tensor = shownBy(kind, frame);
    const value = tensor?.at(cell);
    if (tensor?.codes?.names && value !== undefined)
      return [` · ${tensor.codes.word} `, el("b", {}, codeAt(tensor, value)), `, as ${value}`];
    return value === undefined
      ? []
      : [` · ${kind.title} `, el("b", {}, numberText(value, !frame.pick ? 6 : kind.which === "difference" ? 3 : 4))];
  });
  // where a number is open, its place is told there
  const where = frame.pick
    ? ""
    : node.shape.length
      ? cellWords(walk.document.labels, node.dims, node.shape, cell)
      : shapeText(node.shape);
  const block = walk.tensor(node.value).block ? " block's mean" : "";
  return [el("b", {}, `[${cell.join(", ")}]`), where && ` ${where}`, block, ...values];
}
