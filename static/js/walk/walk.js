import { withAnonymousNodes } from "./anonymous-nodes.js";
import { markCodes } from "../shared/category-codes.js";
import { Change } from "./difference.js";
import { BATCH, examplesIn } from "./example.js";
import { completed } from "./parts.js";
import { Tensor } from "../shared/tensor.js";
/** @typedef {import("./types.js").WalkDocument} WalkDocument */
/** @typedef {import("./types.js").WalkNode} WalkNode */
/** @typedef {import("./types.js").Step} Step */
/** @typedef {import("./types.js").BackwardStep} BackwardStep */
/** @typedef {import("./types.js").Wire} Wire */
/**
 * @typedef {{stage: "none"|"partial"|"complete", tensor: Tensor|null, arrived: number, expected: number}} GradientState
 */

/** A Walk document with the questions the page asks of it. */
export class Walk {
  /**
   * @param {WalkDocument} sent
   * @param {string} [request] the JSON text it answers, with which further questions about it are asked
   */
  constructor(sent, request = "{}") {
    this.document = sent;
    this.request = request;
    /** What the lesson has in focus. */
    this.told = sent.in_focus ?? {};
    this.examples = examplesIn(sent, this.told);
    const whole = completed(sent);
    const { nodes, steps } = withAnonymousNodes(sent);
    /** What has come of that which comes only when somebody is near (see parts.js). */
    this.known = {
      steps: new Set(whole ? steps.map((step) => step.index) : []),
      judged: new Set(whole ? nodes.keys() : []),
      gradients: whole,
      questions: whole,
    };
    this.steps = steps;
    this.nodes = nodes;
    this.forwardCount = steps.filter((step) => step.direction === "forward").length;
    /** @type {Map<string, number>} */
    this.forwardIndex = new Map();
    /** @type {Map<string, number[]>} */
    this.backwardIndex = new Map();
    for (const step of steps) this.#file(step);
    /** @type {WeakMap<Wire, Tensor>} */
    this.tensors = new WeakMap();
    /** What a tensor was before the changes, where that is known. @type {WeakMap<Wire, Wire>} */
    this.earlier = new WeakMap();
    /** @type {WeakMap<Wire, Tensor>} */
    this.changes = new WeakMap();
    /** The gradients that numbers moved by hand have cut off. @type {Set<string>} */
    this.lost = new Set();
    /**
     * What the graph draws at one step while numbers are moved.
     * @type {{index: number, wires: Map<string, Wire|null>}|null}
     */
    this.thumbnails = null;
    markCodes(sent, (wire) => this.tensor(wire));
  }

  /** @param {Step} step */
  #file(step) {
    if (step.direction === "forward") this.forwardIndex.set(step.node, step.index);
    else this.backwardIndex.set(step.node, [...(this.backwardIndex.get(step.node) ?? []), step.index]);
  }

  /** @param {number|null} example of the batch that every picture has in focus; null as the lesson has it */
  focus(example) {
    this.document.in_focus = { ...this.told };
    if (example !== null && example < this.examples) this.document.in_focus[BATCH] = example;
  }

  /** @param {number} index @returns {number} the nearest step that exists */
  clamp(index) {
    return Math.max(0, Math.min(this.steps.length - 1, Math.trunc(index) || 0));
  }

  /** @param {string} name @returns {WalkNode} */
  node(name) {
    const node = this.nodes.get(name);
    if (!node) throw new Error(`the walk has no node ${name}`);
    return node;
  }

  /** @returns {string} the loss as the code names it */
  get lossName() {
    return this.node(this.document.loss.name).variable;
  }

  /** @param {Wire} wire @returns {Tensor} the same tensor object for the same wire, so that it is decoded once */
  tensor(wire) {
    let tensor = this.tensors.get(wire);
    if (!tensor) this.tensors.set(wire, (tensor = new Tensor(wire)));
    return tensor;
  }

  /** @param {Tensor} tensor @returns {Tensor} what has changed about it */
  changeOf(tensor) {
    const earlier = this.earlier.get(tensor.wire);
    const known = this.changes.get(tensor.wire);
    if (known && earlier) return known;
    const change = new Change(tensor, earlier ? this.tensor(earlier) : null);
    if (earlier) this.changes.set(tensor.wire, change);
    return change;
  }

  /** @param {string} name @param {number} index @returns {Tensor|null} what the graph draws of it while numbers move */
  thumbnailAt(name, index) {
    const wire = this.thumbnails?.index === index ? this.thumbnails.wires.get(name) : null;
    return wire ? this.tensor(wire) : null;
  }

  /** @param {string} name @param {number} index @returns {Tensor|null} the value, null while it is not computed */
  valueAt(name, index) {
    const made = this.forwardIndex.get(name);
    if (this.node(name).inner || (made !== undefined && made > index)) return null;
    return this.tensor(this.node(name).value);
  }

  /**
   * @param {string} name @param {number} index @returns {GradientState} what is known of the gradient after this step
   */
  gradientAt(name, index) {
    const all = this.backwardIndex.get(name) ?? [];
    const done = all.filter((position) => position <= index);
    if (!done.length || this.lost.has(name)) return { stage: "none", tensor: null, arrived: 0, expected: all.length };
    const last = /** @type {BackwardStep} */ (this.steps[done[done.length - 1]]);
    const stage = last.complete ? "complete" : "partial";
    const tensor = last.lost || !this.known.gradients ? null : this.tensor(last.accumulated);
    return { stage, tensor, arrived: done.length, expected: all.length };
  }

  /** @param {BackwardStep} step @returns {Tensor|null} what it brings, where that has come */
  brought(step) {
    return this.known.steps.has(step.index) ? this.tensor(step.contribution) : null;
  }

  /** @param {BackwardStep} step @returns {Tensor|null} the gradient as the earlier paths left it */
  before(step) {
    return step.index > 0 ? this.gradientAt(step.node, step.index - 1).tensor : null;
  }

  /**
   * Where selecting a node leads: its forward line while walking forward, else the step that completes
   * its gradient; selecting it again visits its other contributions.
   * @param {string} name @param {number} index the step now @returns {number|null} null for a node without a step
   */
  stepFor(name, index) {
    if (index < this.forwardCount) return this.forwardIndex.get(name) ?? null;
    const all = this.backwardIndex.get(name);
    if (!all) return null;
    const here = all.indexOf(index);
    return here < 0 ? all[all.length - 1] : all[(here + all.length - 1) % all.length];
  }
}
