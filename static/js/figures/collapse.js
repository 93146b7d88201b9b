import { Tensor, ravel, unravel } from "../shared/tensor.js";
import { stepAt } from "./block.js";
import { need } from "./drawing.js";
import { numel } from "../shared/shape.js";
/** @typedef {import("../walk/types.js").BackwardStep} BackwardStep */
/** @typedef {import("../walk/types.js").Step} Step */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/**
 * What a backward step sums before it is summed, the axes that it is summed along, and the gradient that comes of it.
 * @typedef {{from: Tensor, code: string, dims: string[], axes: number[], keepdim: boolean, result: Tensor,
 *   node: string, step: number}} Summed
 */

/** A tensor that the page adds up itself, cell by cell, to show how the engine's own comes about. */
class Partial extends Tensor {
  /** @param {number[]} shape @param {Float64Array} data */
  constructor(shape, data) {
    super({ dtype: "f8", shape: shape.join(", "), bdata: "" });
    this.decoded = data;
  }
}

/**
 * @param {Walk} walk @param {number|null} index of a backward step
 * @returns {Summed|null} null where it sums along no axis, or something is too large to be drawn cell by cell
 */
export function summedAt(walk, index) {
  const step = index === null ? null : walk.steps[index];
  if (!step || step.direction !== "backward" || !step.axes.length) return null;
  const source = sourceOf(walk, step);
  const result = walk.tensor(step.contribution);
  if (!source || source.from.block || result.block) return null;
  const axes = step.axes.map(({ axis }) => axis);
  return {
    ...source,
    axes,
    keepdim: step.axes.every(({ keepdim }) => keepdim),
    result,
    node: step.node,
    step: step.index,
  };
}

/**
 * @param {Walk} walk @param {import("./block.js").Block} block
 * @returns {number} the step whose sum a block is about, of all that its tensor's gradient may be made of
 */
export function summingStep(walk, block) {
  const { step } = block.props;
  return Number.isInteger(step) ? step : need(stepAt(walk, "backward", block.argument), block);
}

/**
 * @param {Walk} first @param {number} index of a backward step
 * @returns {(walk: Walk) => number|null} where that step is in a walk with other numbers
 */
export function sameLine(first, index) {
  const step = first.steps[index];
  const through = step.direction === "backward" && step.through ? step.through : undefined;
  return (walk) => (walk === first ? index : stepAt(walk, "backward", step.node, through));
}

/** @param {Walk} walk @param {BackwardStep} step */
function sourceOf(walk, { picture }) {
  const made = picture?.product;
  if (made) return { from: walk.tensor(made.tensor), code: made.code, dims: made.dims };
  const [only] = picture?.operands ?? [];
  if (!only) return null;
  const node = only.node === null ? null : walk.node(only.node);
  const named = node && (only.which === "gradient" ? node.gradient?.manual : node.value);
  const wire = only.tensor ?? named;
  return wire ? { from: walk.tensor(wire), code: only.code, dims: only.dims } : null;
}

/**
 * @param {Tensor} tensor @param {number[]} axes that are summed along @param {boolean} keepdim
 * @param {number} [first] how many places along the first of them are added, all unless told otherwise
 * @returns {Partial}
 */
export function sumOf(tensor, axes, keepdim, first = Infinity) {
  const { shape, data } = tensor;
  const kept = shape.map((size, axis) => (axes.includes(axis) ? 1 : size));
  const sums = new Float64Array(numel(kept));
  for (let flat = 0; flat < data.length; flat += 1) {
    const at = unravel(shape, flat);
    if (axes.length && at[axes[0]] >= first) continue;
    const to = at.map((place, axis) => (axes.includes(axis) ? 0 : place));
    sums[ravel(kept, to)] += data[flat];
  }
  return new Partial(keepdim ? kept : shape.filter((_, axis) => !axes.includes(axis)), sums);
}

/** @param {Summed} summed @returns {boolean} whether it lies on a sheet as rows and columns do */
export function isFlat({ from, axes }) {
  return from.shape.length > 0 && from.shape.length <= 2 && axes.length === 1;
}

/** @param {Tensor} tensor @param {number} axis @returns {"down"|"across"} how summing along it runs on the sheet */
export function directionOf(tensor, axis) {
  return tensor.shape.length === 2 && axis === 0 ? "down" : "across";
}
