import { axisWords, cellWords } from "../shared/axis-labels.js";
import { codeAt } from "../shared/category-codes.js";
import { numberText } from "../shared/format.js";
import { ravel } from "../shared/tensor.js";
import { partnersOf } from "../walk/partners.js";
import { numberName } from "../walk/trail.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/pick.js").Subject} Subject */
/** @typedef {import("../walk/types.js").Step} Step */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/**
 * A drawn tensor; `name` and `dims` are those of an expression, `kind` tells several sheets of one tensor apart, and
 * `beside` are tensors that one compares it with.
 * @typedef {{tensor: Tensor, subject: Subject|null, name?: string, dims?: string[], kind?: string,
 *   beside?: {title: string, tensor: Tensor}[]}} Sheet
 */
/** @typedef {{name: string, number: string, place: string, beside: string}} Tip */
/** @typedef {{node: string, of: "value"|"gradient"}} Named a tensor by the node it stands at */
/**
 * What a cell that is pointed at answers: the cells of any sheet that belong to it, and the tensors they lie in.
 * @typedef {{cellsIn: (sheet: Sheet) => Set<number>, named: Named[]}} Answer
 */

/** @type {WeakMap<Step, ReturnType<typeof partnersOf>>} */
const known = new WeakMap();

/** @param {Frame} frame @param {Sheet} sheet @param {number[]} cell @returns {Answer} */
export function answerOf(frame, sheet, cell) {
  /** @type {Map<string, Set<number>>} */
  const lit = new Map();
  for (const part of partsOf(frame, sheet)) {
    for (const [other, cells] of litBy(frame, part, cell)) lit.set(other, union(lit.get(other), cells));
  }
  const named = [...lit.keys()].flatMap((part) => namesOf(frame, part));
  if (sheet.subject)
    named.push({ node: sheet.subject.tensor, of: sheet.subject.of === "value" ? "value" : "gradient" });
  return {
    named,
    cellsIn(other) {
      const found = partsOf(frame, other).reduce((all, part) => union(all, lit.get(part)), new Set());
      return other === sheet ? union(found, new Set([ravel(sheet.tensor.whole, cell)])) : found;
    },
  };
}

/**
 * @param {Frame} frame @param {string} part @param {number[]} cell
 * @returns {Map<string, Set<number>>} flat positions, by the part of the picture
 */
function litBy(frame, part, cell) {
  const { walk, step, inspecting } = frame;
  if (inspecting) return new Map([[part, new Set([ravel(frame.node.shape, cell)])]]);
  let partners = known.get(step);
  if (!partners) {
    partners = partnersOf(
      step.cells,
      (one) => shapeOf(walk, step, one),
      (name, index) => cellOf(walk, name, index),
    );
    known.set(step, partners);
  }
  return partners.of(part, cell);
}

/**
 * @param {Frame} frame @param {Sheet} sheet
 * @returns {string[]} what it is in the step: `result`, `product`, `operand 0`, or an input by its name
 */
export function partsOf({ walk, step, node, inspecting }, { tensor, subject, name }) {
  const own = subject?.tensor === node.name ? ["result"] : [];
  // beside the equation a tensor's value stands for the tensor, though the equation may read it too
  if (inspecting || (own.length && name === undefined)) return own;
  const made = [...between(step)].flatMap(([part, drawn]) =>
    drawn.tensor && walk.tensor(drawn.tensor).wire === tensor.wire ? [part] : [],
  );
  if (step.direction === "forward") {
    const input = subject?.of === "value" && subject.tensor !== node.name ? subject.tensor : null;
    return [...own, ...(input !== null && reads(step).has(input) ? [input] : []), ...made];
  }
  const operands = (step.picture?.operands ?? []).flatMap((operand, i) =>
    !operand.tensor && operand.node === subject?.tensor && operand.which === subject?.of ? [`operand ${i}`] : [],
  );
  return operands.length || made.length ? [...operands, ...made] : own;
}

/**
 * @param {Step} step
 * @returns {Map<string, {tensor: import("../walk/types.js").Wire|null, shape: number[]}>} what its picture draws
 *   besides tensors of the walk, by the part it is
 */
function between({ picture }) {
  /** @type {Map<string, {tensor: import("../walk/types.js").Wire|null, shape: number[]}>} */
  const found = new Map();
  if (!picture) return found;
  picture.operands.forEach((operand, i) => found.set(`operand ${i}`, operand));
  if ("product" in picture && picture.product) found.set("product", picture.product);
  if (!("stages" in picture)) return found;
  if (picture.met) found.set("met", picture.met);
  picture.stages.forEach(({ result }, i) => result && found.set(`stage ${i}`, result));
  return found;
}

/** @param {Step} step @returns {Set<string>} */
function reads({ cells }) {
  return new Set(cells.flatMap((made) => made.reads.map((read) => read.of)));
}

/** @param {Walk} walk @param {Step} step @param {string} part @returns {number[]} */
function shapeOf(walk, step, part) {
  if (part === "result") return walk.node(step.node).shape;
  return between(step).get(part)?.shape ?? walk.node(part).shape;
}

/** @param {Walk} walk @param {string} variable @param {number[]} index @returns {number|null} */
function cellOf(walk, variable, index) {
  const node = walk.document.nodes.find((one) => one.variable === variable);
  const tensor = node && walk.tensor(node.value);
  if (!tensor || tensor.block) return null;
  const at = index.map((place, axis) => (place < 0 ? place + tensor.shape[axis] : place));
  return tensor.at(at) ?? null;
}

/** @param {Frame} frame @param {string} part @returns {Named[]} the tensors it is, or is made of */
function namesOf({ walk, step }, part) {
  if (part === "result") return [{ node: step.node, of: step.direction === "forward" ? "value" : "gradient" }];
  if (!between(step).has(part)) return [{ node: part, of: "value" }];
  const operand = /^operand (\d+)$/.exec(part);
  const drawn = operand && step.picture?.operands[Number(operand[1])];
  if (!drawn) return [];
  const { node, which, code } = drawn;
  if (node && which) return [{ node, of: which }];
  const words = new Set(code.match(/[^\W\d]\w*/gu) ?? []);
  return walk.document.nodes.flatMap(({ name, variable }) => [
    ...(words.has(variable) ? [{ node: name, of: /** @type {const} */ ("value") }] : []),
    ...(words.has(`d${variable}`) ? [{ node: name, of: /** @type {const} */ ("gradient") }] : []),
  ]);
}

/**
 * What stands beside the pointer.
 * @param {Frame} frame @param {Sheet} sheet @param {number[]} cell @returns {Tip}
 */
export function tipOf({ walk }, { tensor, subject, name, dims, kind, beside = [] }, cell) {
  const value = tensor.at(cell);
  const { labels } = walk.document;
  const node = subject && walk.node(subject.tensor);
  const axes = node?.dims ?? dims ?? [];
  const own = node ? numberName(node.variable, subject.of, cell) : `${bracketed(name ?? "")}${indexText(cell)}`;
  const number = value === undefined ? "" : numberOf(tensor, value);
  const place = node ? cellWords(labels, axes, tensor.whole, cell) : placeOf(labels, axes, tensor.whole, cell);
  const block = tensor.block ? "the mean of a block" : "";
  const others = beside.map((one) => `${one.title} ${numberText(one.tensor.at(cell) ?? NaN, 4)}`).join(" · ");
  return { name: own, number, beside: others, place: [kind, place, block].filter(Boolean).join(" · ") };
}

/** @param {Tensor} tensor @param {number} value @returns {string} */
function numberOf(tensor, value) {
  return tensor.codes?.names ? `${codeAt(tensor, value)}, as ${value}` : numberText(value, 6);
}

/** @param {Record<string, string[]>} labels @param {string[]} dims @param {number[]} shape @param {number[]} cell */
function placeOf(labels, dims, shape, cell) {
  const named = cell.map((at, axis) =>
    shape[axis] === 1 || !dims[axis] || dims[axis].startsWith("axis ") ? "" : axisWords(labels, dims[axis], axis, at),
  );
  return named.filter(Boolean).join(", ");
}

/** @param {string} code @returns {string} in brackets, where an index after it would belong to its last word only */
function bracketed(code) {
  return /^[\w.]*$/u.test(code) ? code : `(${code})`;
}

/** @param {number[]} cell */
function indexText(cell) {
  return cell.length ? `[${cell.join(", ")}]` : "";
}

/** @param {Set<number>|undefined} one @param {Set<number>|undefined} other @returns {Set<number>} */
function union(one, other) {
  return new Set([...(one ?? []), ...(other ?? [])]);
}

const GAP = 14;
const RIM = 6;

/**
 * Where the tip stands: beside the pointer, inside the window, and never under the pointer.
 * @param {{x: number, y: number}} at @param {{width: number, height: number}} tip
 * @param {{width: number, height: number}} pane @returns {{left: number, top: number}}
 */
export function tipPlace(at, tip, pane) {
  const right = at.x + GAP + tip.width <= pane.width - RIM;
  const below = at.y + GAP + tip.height <= pane.height - RIM;
  const inside = (/** @type {number} */ place, /** @type {number} */ size, /** @type {number} */ all) =>
    Math.max(RIM, Math.min(all - RIM - size, place));
  const top = below ? at.y + GAP : at.y - GAP - tip.height;
  const left = inside(right ? at.x + GAP : at.x - GAP - tip.width, tip.width, pane.width);
  return { left, top: inside(top, tip.height, pane.height) };
}
