import { completed } from "../walk/parts.js";
import { ravel, Tensor } from "../shared/tensor.js";
import { NotExpressible } from "./tree.js";
/** @typedef {import("../walk/types.js").WalkDocument} WalkDocument */
/** @typedef {import("../walk/types.js").Wire} Wire */

/** @type {WeakMap<WalkDocument, Scope>} */
const scopes = new WeakMap();

/** @param {WalkDocument} whole @returns {Scope} the same one each time */
export function scopeOf(whole) {
  const scope = scopes.get(whole) ?? new Scope(whole);
  scopes.set(whole, scope);
  return scope;
}

/** What formulas read of one walk, by the names of its code: values, gradients with a `d` before, plain numbers. */
export class Scope {
  /** @param {WalkDocument} whole one in which what equals is left out */
  constructor(whole) {
    completed(whole);
    this.document = whole;
    this.nodes = new Map(whole.nodes.map((node) => [node.name, node]));
    /** @type {Map<string, Tensor>} */
    this.tensors = new Map();
    for (const { variable, value, gradient } of whole.nodes) {
      this.tensors.set(variable, new Tensor(value));
      if (gradient?.manual) this.tensors.set(`d${variable}`, new Tensor(gradient.manual));
    }
    /** Moves the numbers of a tensor. @type {Map<string, (value: number) => number>} */
    this.moved = new Map();
  }

  /** @param {string} name @returns {import("../walk/types.js").SentNode} */
  node(name) {
    const found = this.nodes.get(name);
    if (!found) throw new NotExpressible(name);
    return found;
  }

  /** @param {string} name @returns {Tensor} with every number of its own @throws {NotExpressible} */
  tensor(name) {
    const found = this.tensors.get(name);
    if (!found || found.block) throw new NotExpressible(name);
    return found;
  }

  /** @param {string} name @returns {number[]|null} */
  shape(name) {
    return this.tensors.get(name)?.whole ?? null;
  }

  /** @param {string} name @returns {boolean} */
  isWhole(name) {
    const found = this.tensors.get(name);
    return found ? !this.isDecimal(name) : Number.isInteger(this.document.constants[name]);
  }

  /** @param {string} name @returns {boolean} */
  isDecimal(name) {
    const found = this.tensors.get(name);
    return found !== undefined && /^f/.test(found.wire.dtype);
  }

  /** @param {string} name @param {number[]} index @returns {number} */
  read(name, index) {
    if (!this.tensors.has(name)) return this.constant(name);
    const flat = this.flatOf(name, index);
    if (flat < 0) throw new NotExpressible(`${name}[${index.join()}]`);
    const value = this.tensor(name).data[flat];
    return this.moved.get(name)?.(value) ?? value;
  }

  /** @param {string} name @param {number[]} index counted from the end where it is negative @returns {number} */
  flatOf(name, index) {
    const { whole } = this.tensor(name);
    return ravel(
      whole,
      index.map((at, axis) => (at < 0 ? at + whole[axis] : at)),
    );
  }

  /** @param {string} name @returns {number} */
  constant(name) {
    if (name === "pi") return Math.PI;
    if (name === "inf") return Infinity;
    const { constants } = this.document;
    if (!(name in constants)) throw new NotExpressible(name);
    return Number(constants[name]);
  }

  /** @param {Map<string, (value: number) => number>} moved @returns {Scope} the same with numbers that have moved */
  with(moved) {
    return Object.assign(Object.create(Scope.prototype), this, { moved });
  }
}
