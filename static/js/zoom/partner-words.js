import { answerOf, tipOf } from "../lens/pointing.js";
import { unravel } from "../shared/tensor.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../lens/pointing.js").Sheet} Sheet */

/**
 * @param {Frame} frame @param {Sheet} sheet @param {number[]} cell
 * @returns {string} its number, its place, and the cells that it comes from or goes to, as the code would index them
 */
export function cellSays(frame, sheet, cell) {
  const { name, number, place } = tipOf(frame, sheet, cell);
  return [`${name} = ${number}`, place, partners(frame, sheet, cell)].filter(Boolean).join(" · ");
}

/**
 * @param {Frame} frame @param {Sheet} sheet @param {number[]} cell
 * @returns {string} "with h.T[4, :] and dlogits[:, 6]"
 */
function partners(frame, sheet, cell) {
  const answer = answerOf(frame, sheet, cell);
  const found = others(frame, sheet, answer.named).flatMap((other) => {
    const cells = other.tensor.block ? new Set() : answer.cellsIn(other);
    return cells.size ? [`${other.name}${indexOf(other.tensor.shape, cells)}`] : [];
  });
  const last = found.pop();
  return last ? `with ${found.length ? `${found.join(", ")} and ` : ""}${last}` : "";
}

/**
 * @param {Frame} frame @param {Sheet} own @param {import("../lens/pointing.js").Named[]} named
 * @returns {(Sheet & {name: string})[]} what the step's picture draws besides: going back, what it multiplies
 */
function others({ walk, step, known }, own, named) {
  const operands = step.direction === "backward" ? (step.picture?.operands ?? []) : [];
  const drawn = operands.flatMap(({ tensor, code }) =>
    tensor ? [{ tensor: walk.tensor(tensor), subject: null, name: /^[\w.]*$/.test(code) ? code : `(${code})` }] : [],
  );
  const there = new Set(operands.flatMap(({ tensor, code }) => (tensor ? (code.match(/\w+/g) ?? []) : [])));
  const nodes = new Map(named.map((one) => [`${one.of} ${one.node}`, one]));
  nodes.delete(`${own.subject?.of} ${own.subject?.tensor}`);
  const whole = [...nodes.values()].flatMap(({ node, of }) => {
    const { variable, value } = walk.node(node);
    const name = of === "value" ? variable : `d${variable}`;
    const tensor = of === "value" ? walk.tensor(value) : walk.gradientAt(node, known).tensor;
    return tensor && !there.has(name) ? [{ tensor, subject: { tensor: node, of }, name }] : [];
  });
  return [...drawn, ...whole];
}

/**
 * @param {number[]} shape @param {Set<number>} cells flat positions
 * @returns {string} "[:, 6]": each axis with its one place, all of it, or how many places of it
 */
export function indexOf(shape, cells) {
  if (!shape.length) return "";
  const places = [...cells].map((flat) => unravel(shape, flat));
  const axes = shape.map((size, axis) => {
    const there = new Set(places.map((place) => place[axis]));
    if (there.size === 1) return String(places[0][axis]);
    return there.size === size ? ":" : `${there.size} of ${size}`;
  });
  return `[${axes.join(", ")}]`;
}
