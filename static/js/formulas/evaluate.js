import { FUNCTIONS } from "./functions.js";
import { NotExpressible, partsOf } from "./tree.js";
/** @typedef {import("./scope.js").Scope} Scope */
/** @typedef {import("./tree.js").Fold} Fold */
/** @typedef {import("./tree.js").Folded} Folded */
/** @typedef {import("./tree.js").Operator} Operator */
/** @typedef {import("./tree.js").Tree} Tree */
/** @typedef {Record<string, number>} Places the letters and where they stand */

/** @type {Record<Operator, (a: number, b: number) => number>} */
export const OPERATORS = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "·": (a, b) => a * b,
  "/": (a, b) => a / b,
  "//": (a, b) => Math.floor(a / b),
  "%": (a, b) => a - b * Math.floor(a / b),
  "**": (a, b) => a ** b,
};
/** @type {Record<string, (a: number, b: number) => boolean>} */
const COMPARED = {
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};
/** @type {Record<Fold, (found: number[]) => number>} */
export const FOLDS = {
  Σ: (found) => found.reduce((sum, one) => sum + one, 0),
  Π: (found) => found.reduce((product, one) => product * one, 1),
  max: (found) => found.reduce((most, one) => (one > most ? one : most)),
  min: (found) => found.reduce((least, one) => (one < least ? one : least)),
  argmax: (found) => found.indexOf(FOLDS.max(found)),
  argmin: (found) => found.indexOf(FOLDS.min(found)),
};

/** Works formulas out over the tensors of one walk, and reads no more numbers than it may. */
export class Evaluator {
  /** @param {Scope} scope @param {number} most numbers that may be read */
  constructor(scope, most) {
    this.scope = scope;
    this.left = most;
  }

  /** @param {Tree} node @param {Places} places @returns {number} truth as 1 and 0 @throws {NotExpressible} */
  value(node, places) {
    switch (node.kind) {
      case "number":
        return node.value;
      case "name":
        return node.name in places ? places[node.name] : this.read(node.name, []);
      case "cell":
        return this.read(node.name, this.indexOf(node.index, places));
      case "minus":
        return -this.value(node.inner, places);
      case "not":
        return Number(!this.value(node.inner, places));
      case "binary":
        return OPERATORS[node.op](this.value(node.left, places), this.value(node.right, places));
      case "compare":
        return Number(COMPARED[node.op](this.value(node.left, places), this.value(node.right, places)));
      case "both":
        return Number(
          node.op === "and"
            ? node.parts.every((part) => this.value(part, places))
            : node.parts.some((part) => this.value(part, places)),
        );
      case "choice":
        return this.value(this.value(node.test, places) ? node.then : node.otherwise, places);
      case "fold":
        return FOLDS[node.fold](this.inside(node, places).map((within) => this.value(node.body, within)));
    }
    const parts = node.parts.map((part) => this.value(part, places));
    if (node.name === "max" || node.name === "min") return FOLDS[node.name](parts);
    if (!(node.name in FUNCTIONS) || parts.length !== 1) throw new NotExpressible(node.name);
    return FUNCTIONS[node.name].of(parts[0]);
  }

  /** @param {Tree[]} index @param {Places} places @returns {number[]} */
  indexOf(index, places) {
    return index.map((part) => this.value(part, places));
  }

  /** @param {string} name @param {number[]} index @returns {number} */
  read(name, index) {
    this.left -= 1;
    if (this.left < 0) throw new NotExpressible("too many numbers");
    return this.scope.read(name, index);
  }

  /** @param {Folded} node @param {Places} places @returns {Places[]} the letters at every term */
  inside({ letters, body }, places) {
    let found = [places];
    for (const { name, end } of letters) {
      const length = end ?? lengthOf(name, body, this.scope);
      if (length * found.length > this.left) throw new NotExpressible("too many terms");
      found = found.flatMap((one) => Array.from({ length }, (_, at) => ({ ...one, [name]: at })));
    }
    return found;
  }
}

/**
 * @param {string} letter @param {Tree} body @param {Scope} scope
 * @returns {number} of the axis that it indexes alone
 */
function lengthOf(letter, body, scope) {
  const pending = [body];
  for (const node of pending) {
    if (node.kind === "cell") {
      const axis = node.index.findIndex((place) => place.kind === "name" && place.name === letter);
      const shape = axis < 0 ? null : scope.shape(node.name);
      if (shape) return shape[axis];
    }
    pending.push(...partsOf(node));
  }
  throw new NotExpressible(letter);
}
