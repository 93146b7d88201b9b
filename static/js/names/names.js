import { codesText } from "../shared/category-codes.js";
import { axisName } from "../shared/axis-labels.js";
import { calledIn } from "../walk/called.js";
import { numberText, shapeText } from "../shared/format.js";
import { reachText } from "../shared/reach.js";
import { listings } from "../listing/listing.js";
/** @typedef {import("../listing/listing.js").Row} Row */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/**
 * What is known of a name in the code: its shape with the names of its axes, what it holds (`tensor` to be drawn,
 * null while it is not computed), the lines that make it and those that read it.
 * @typedef {{title: string, shape: string, axes: string, what: string, holds: string, tensor: Tensor|null,
 *   made: Row[], used: Row[]}} Known
 */

const FEW = 4;
const WHAT = { parameter: "parameter", data: "data", target: "target", constant: "constant", intermediate: "" };

/** The lines in which each name is made and used. */
export class Names {
  /** @param {Walk} walk */
  constructor(walk) {
    this.walk = walk;
    /** @type {Map<string, {made: Row[], used: Row[]}>} */
    this.places = new Map();
    const { forward, backward } = listings(walk);
    for (const row of forward) this.#file(row, ["name", "constant"]);
    for (const row of backward) this.#file(row, ["gradient"]);
  }

  /** @param {Row} row @param {string[]} kinds */
  #file(row, kinds) {
    row.tokens.forEach(({ kind, node, text }, i) => {
      if (!kinds.includes(kind)) return;
      const key = `${kind} ${node ?? text}`;
      const places = this.places.get(key) ?? { made: [], used: [] };
      const list = i < row.head ? places.made : places.used;
      if (!list.includes(row)) list.push(row);
      this.places.set(key, places);
    });
  }

  /**
   * @param {string} key "name counts", "gradient counts", "constant n" @param {Frame} frame
   * @returns {Known} what may be said of it at this step
   */
  known(key, frame) {
    const [kind, ...rest] = key.split(" ");
    const name = rest.join(" ");
    const lines = this.#linesOf(key, frame);
    if (kind === "constant") return { ...this.#constant(name), ...lines };
    const node = this.walk.node(name);
    const gradient = kind === "gradient";
    const called = calledIn(this.walk, node.variable);
    const tensor = gradient ? gradientOf(frame, name) : this.walk.valueAt(name, frame.known);
    return {
      title: `${gradient ? "d" : ""}${node.variable}`,
      shape: shapeText(node.shape),
      axes: node.shape.map((_, axis) => axisName(node.dims[axis], axis)).join(" × "),
      what: [called === node.variable ? "" : called, gradient ? `gradient of ${node.variable}` : WHAT[node.role]]
        .filter(Boolean)
        .join(", "),
      holds: tensor ? holdsText(tensor) : "not yet computed",
      tensor: tensor && tensor.size > 1 ? tensor : null,
      ...lines,
    };
  }

  /** @param {string} name */
  #constant(name) {
    const value = Number(this.walk.document.constants[name]);
    return { title: name, shape: "", axes: "", what: "plain number", holds: numberText(value, 6), tensor: null };
  }

  /** @param {string} key @param {Frame} frame lines that are still hidden are left out */
  #linesOf(key, { state, known }) {
    const { made, used } = this.places.get(key) ?? { made: [], used: [] };
    const open = (/** @type {Row} */ row) =>
      !((state.predict || state.writeIt) && key.startsWith("gradient ") && (row.step ?? known + 1) > known);
    return { made: made.filter(open), used: used.filter(open) };
  }
}

/** @param {Frame} frame @param {string} name @returns {Tensor|null} the gradient as far as it is known */
function gradientOf({ walk, known, hidesPaths, step }, name) {
  return hidesPaths && step.node === name ? null : walk.gradientAt(name, known).tensor;
}

/** @param {Tensor} tensor @returns {string} all of a few numbers, else from where to where they go */
export function holdsText(tensor) {
  if (tensor.codes) return codesText(tensor);
  if (tensor.block) return reachText(tensor);
  const numbers = Array.from(tensor.data);
  if (!numbers.length) return "no numbers";
  if (numbers.length <= FEW) return numbers.map((value) => numberText(value)).join(", ");
  const finite = numbers.filter((value) => Number.isFinite(value));
  if (finite.length < numbers.length) return `${numbers.length - finite.length} not finite`;
  const [least, most] = [numbers.reduce((a, b) => Math.min(a, b)), numbers.reduce((a, b) => Math.max(a, b))];
  return least === most ? `all ${numberText(least, 3)}` : `${numberText(least, 3)} to ${numberText(most, 3)}`;
}
