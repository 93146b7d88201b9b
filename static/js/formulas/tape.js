import { Evaluator, FOLDS, OPERATORS } from "./evaluate.js";
import { FUNCTIONS } from "./functions.js";
import { NotExpressible, partsOf } from "./tree.js";
/** @typedef {import("./evaluate.js").Places} Places */
/** @typedef {import("./scope.js").Scope} Scope */
/** @typedef {import("./tree.js").Binary} Binary */
/** @typedef {import("./tree.js").Folded} Folded */
/** @typedef {import("./tree.js").Tree} Tree */
/** @typedef {{value: number, slope: number, from: Entry[], by: number[], moves: boolean}} Entry a number, what it
 *   was made from, and whether that is a cell */
/**
 * `slopes` are the derivatives by each cell that was read, by tensor and flat place; `sizes` is the sum of |slope ×
 * number| over all that was computed on the way: the scale of the rounding error.
 * @typedef {{value: number, sizes: number, slopes: Map<string, Map<number, number>>}} Reading
 */

const MOST = 400_000;

/**
 * @param {Tree} tree @param {Places} places @param {Scope} scope
 * @param {(value: number) => number} [rounded] the numbers from which functions have their slopes: in the walk's own
 *   precision a slope may be zero
 * @returns {Reading} @throws {NotExpressible}
 */
export function readingOf(tree, places, scope, rounded = (value) => value) {
  return Object.assign(new Tape(scope, MOST), { rounded }).reading(tree, places);
}

/** Notes what is computed, and goes back through it: reverse mode, number by number. */
class Tape extends Evaluator {
  /** @type {Entry[]} */
  entries = [];
  /** @type {Map<string, Map<number, Entry>>} */
  cells = new Map();
  rounded = (/** @type {number} */ value) => value;

  /** @param {Tree} tree @param {Places} places @returns {Reading} */
  reading(tree, places) {
    const { value } = Object.assign(this.entry(tree, places), { slope: 1 });
    for (const { slope, from, by } of [...this.entries].reverse())
      if (slope) from.forEach((one, i) => (one.slope += by[i] ? slope * by[i] : 0));
    const moved = this.entries.map((one) => Math.abs(one.slope * one.value)).filter(Number.isFinite);
    const slopes = [...this.cells].map(
      ([name, cells]) => /** @type {const} */ ([name, new Map([...cells].map(([flat, { slope }]) => [flat, slope]))]),
    );
    return { value, sizes: FOLDS.Σ(moved), slopes: new Map(slopes) };
  }

  /** @param {number} value @param {Entry[]} [from] @param {number[]} [by] the slope in each @returns {Entry} */
  made(value, from = [], by = []) {
    const entry = { value, slope: 0, from, by, moves: from.some((one) => one.moves) };
    if (from.length) this.entries.push(entry);
    return entry;
  }

  /** @param {Tree} node @param {Places} places @returns {Entry} */
  entry(node, places) {
    switch (node.kind) {
      case "name":
        if (node.name in places || !this.scope.isDecimal(node.name)) return this.made(this.value(node, places));
        return this.cellEntry(node.name, []);
      case "cell": {
        const index = this.indexOf(node.index, places);
        return this.scope.isDecimal(node.name)
          ? this.cellEntry(node.name, index)
          : this.made(this.read(node.name, index));
      }
      case "minus": {
        const inner = this.entry(node.inner, places);
        return this.made(-inner.value, [inner], [-1]);
      }
      case "binary":
        if (node.op === "·" && [node.left, node.right].some((part) => this.isElsewhere(part, places)))
          return this.made(0);
        return this.binaryEntry(node, this.entry(node.left, places), this.entry(node.right, places));
      case "choice":
        return this.choiceEntry(node, places);
      case "fold":
        return this.foldEntry(
          node,
          this.inside(node, places).map((within) => this.entry(node.body, within)),
        );
      case "call":
        return this.callEntry(
          node.name,
          node.parts.map((part) => this.entry(part, places)),
        );
    }
    return this.made(this.value(node, places)); // a number, or a condition, which no slope goes through
  }

  /** @param {string} name @param {number[]} index @returns {Entry} the same one for the same cell */
  cellEntry(name, index) {
    const cells = this.cells.get(name) ?? new Map();
    this.cells.set(name, cells);
    const flat = this.scope.flatOf(name, index);
    const known = cells.get(flat);
    if (known) return known;
    const entry = { value: this.read(name, index), slope: 0, from: [], by: [], moves: true };
    cells.set(flat, entry);
    this.entries.push(entry);
    return entry;
  }

  /** @param {Tree} node @param {Places} places @returns {boolean} whether it says that another place is the largest */
  isElsewhere(node, places) {
    const sides = node.kind === "compare" ? [node.left, node.right] : [];
    return sides.some((side) => side.kind === "fold" && side.fold.startsWith("arg")) && !this.value(node, places);
  }

  /** @param {Binary} node @param {Entry} left @param {Entry} right @returns {Entry} */
  binaryEntry({ op }, left, right) {
    const [a, b] = [left.value, right.value];
    const value = OPERATORS[op](a, b);
    const power = op === "**" ? [b && b * a ** (b - 1), right.moves ? value * Math.log(a) : 0] : [];
    /** @type {Record<string, number[]>} */
    const by = { "+": [1, 1], "-": [1, -1], "·": [b, a], "/": [1 / b, -value / b], "//": [0, 0], "%": [1, 0] };
    return this.made(value, [left, right], by[op] ?? power);
  }

  /**
   * What isn't taken leaves a trace, too, where other numbers would take it.
   * @param {import("./tree.js").Choice} node @param {Places} places @returns {Entry}
   */
  choiceEntry(node, places) {
    const [taken, other] = this.value(node.test, places) ? [node.then, node.otherwise] : [node.otherwise, node.then];
    const entry = this.entry(taken, places);
    if (!this.readsDecimals(node.test)) return entry;
    try {
      return this.made(entry.value, [entry, this.entry(other, places)], [1, 0]);
    } catch (error) {
      if (error instanceof NotExpressible) return entry;
      throw error;
    }
  }

  /** @param {Tree} node @returns {boolean} */
  readsDecimals(node) {
    if ((node.kind === "cell" || node.kind === "name") && this.scope.isDecimal(node.name)) return true;
    return partsOf(node).some((part) => this.readsDecimals(part));
  }

  /** @param {Folded} node @param {Entry[]} found @returns {Entry} of equal greatest ones each has its share */
  foldEntry({ fold }, found) {
    const values = found.map((one) => one.value);
    const value = FOLDS[fold](values);
    if (fold === "Σ") return this.made(value, found, values.fill(1));
    if (fold.startsWith("arg")) return this.made(value);
    if (fold === "Π")
      return this.made(
        value,
        found,
        values.map((_, i) => FOLDS.Π(values.filter((one, at) => at !== i))),
      );
    const share = values.filter((one) => one === value).length;
    return this.made(
      value,
      found,
      values.map((one) => (one === value ? 1 / share : 0)),
    );
  }

  /** @param {string} name @param {Entry[]} given @returns {Entry} */
  callEntry(name, given) {
    const values = given.map((one) => one.value);
    if (name === "max" || name === "min") {
      const value = FOLDS[name](values);
      // where they are equal, which side has the slope is a matter of the operation, and no formula says it
      if (values.filter((one) => one === value).length > 1) throw new NotExpressible("a kink");
      return this.made(
        value,
        given,
        values.map((one) => (one === value ? 1 : 0)),
      );
    }
    if (!(name in FUNCTIONS) || given.length !== 1) throw new NotExpressible(name);
    const value = FUNCTIONS[name].of(values[0]);
    return this.made(value, given, [FUNCTIONS[name].slope(this.rounded(values[0]), this.rounded(value))]);
  }
}
