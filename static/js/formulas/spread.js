import { Evaluator } from "./evaluate.js";
import { binary, isSum, minus, NotExpressible, numeral, partsOf, simple } from "./tree.js";
import { formulaText } from "./writer.js";
/** @typedef {import("../lens/types.js").FormulaNumbers} FormulaNumbers */
/** @typedef {import("./evaluate.js").Places} Places */
/** @typedef {import("./scope.js").Scope} Scope */
/** @typedef {import("./tree.js").Tree} Tree */
/** @typedef {{name: string, index: number[]}} Place a cell of a tensor */

// How many terms are told, and how many numbers are read for them at most: as in backend/lines/index_notation.
const [FEW, MOST, MOST_READ] = [4, 16, 8_000];

/**
 * A formula's right-hand side with its numbers: a few terms in the formula's order, of many the largest first.
 * @param {Tree} whole @param {Places} places @param {Scope} scope @returns {FormulaNumbers|null} null of too many
 */
export function numbersOf(whole, places, scope) {
  const spreader = new Spreader(scope, MOST_READ);
  return attempted(() => {
    const terms = spreader
      .spread(whole, places)
      .filter(([node, within]) => !spreader.isOut(node, within))
      .map(([node, within]) => ({ node, within, size: sizeOf(spreader.value(node, within)) }));
    if (terms.length > FEW) terms.sort((one, other) => other.size - one.size);
    const told = terms.slice(0, MOST).map(({ node, within }) => spreader.filledIn(node, within));
    return { count: terms.length, terms: told };
  });
}

/**
 * Of each cell that is multiplied by one other cell and stands nowhere else, that one.
 * @param {Tree} whole @param {Places} places @param {Scope} scope @returns {Map<string, Place>} by `keyOf`
 */
export function factorsOf(whole, places, scope) {
  const spreader = new Spreader(scope, MOST_READ);
  const found = attempted(() => spreader.pairs(whole, places)) ?? [];
  /** @type {Map<string, number>} */
  const often = new Map();
  for (const [cell] of found) often.set(keyOf(cell), (often.get(keyOf(cell)) ?? 0) + 1);
  const once = found.filter(([cell]) => often.get(keyOf(cell)) === 1);
  return new Map(once.map(([cell, other]) => [keyOf(cell), other]));
}

/** @param {Place} place */
export function keyOf({ name, index }) {
  return `${name}[${index.join()}]`;
}

/** @template T @param {() => T} work @returns {T|null} null where it can't be done */
function attempted(work) {
  try {
    return work();
  } catch (error) {
    if (error instanceof NotExpressible) return null;
    throw error;
  }
}

/** @param {number} value @returns {"NaN"|"Infinity"|"-Infinity"} what JSON has no number for */
function jsonWord(value) {
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "Infinity" : "-Infinity";
}

/** @param {number} value */
function sizeOf(value) {
  return Number.isNaN(value) ? Infinity : Math.abs(value);
}

/** Expands a sum into its terms. */
class Spreader extends Evaluator {
  /** @param {Tree} node @param {Places} places @returns {[Tree, Places][]} a Σ is expanded, its factors distributed */
  spread(node, places) {
    if (node.kind === "minus") return this.changed(minus, node.inner, places);
    if (node.kind === "fold" && node.fold === "Σ")
      return this.inside(node, places).map((within) => [node.body, within]);
    if (node.kind !== "binary") return [[node, places]];
    const { op, left, right } = node;
    if (op === "+" || op === "-")
      return [...this.spread(left, places), ...this.changed(op === "-" ? minus : simple, right, places)];
    const inside = (op === "·" || op === "/") && isSum(left);
    if (inside) return this.changed((part) => binary(op, part, right), left, places);
    if (op === "·" && isSum(right)) return this.changed((part) => binary(op, left, part), right, places);
    return [[node, places]];
  }

  /** @param {(part: Tree) => Tree} change @param {Tree} node @param {Places} places @returns {[Tree, Places][]} */
  changed(change, node, places) {
    return this.spread(node, places).map(([part, within]) => [change(part), within]);
  }

  /** @param {Tree} whole @param {Places} places @returns {[Place, Place][]} cells and what they are multiplied by */
  pairs(whole, places) {
    /** @type {[Place, Place][]} */
    const found = [];
    for (const [node, within] of this.spread(whole, places)) {
      if (node.kind !== "binary" || node.op !== "·") continue;
      const [one, other] = [this.cell(node.left, within), this.cell(node.right, within)];
      if (one && other) found.push([one, other], [other, one]);
    }
    return found;
  }

  /** @param {Tree} node @param {Places} places @returns {Place|null} the cell that it is, and nothing more */
  cell(node, places) {
    const shape = node.kind === "cell" ? this.scope.shape(node.name) : null;
    if (node.kind !== "cell" || !shape) return null;
    const index = this.indexOf(node.index, places).map((at, axis) => (at + shape[axis]) % shape[axis]);
    return { name: node.name, index };
  }

  /** @param {Tree} node @param {Places} places @returns {boolean} whether a term is 0 because its condition fails */
  isOut(node, places) {
    if (node.kind === "choice" && node.otherwise.kind === "number" && node.otherwise.value === 0)
      return !this.value(node.test, places);
    if (node.kind === "minus") return this.isOut(node.inner, places);
    if (node.kind !== "binary") return false;
    if (node.op === "·") {
      const out = [this.isOut(node.left, places), this.isOut(node.right, places)];
      return out.includes(true) && this.value(node, places) === 0;
    }
    return node.op === "/" && this.isOut(node.left, places) && this.value(node, places) === 0;
  }

  /** @param {Tree} node @param {Places} places @returns {import("../lens/types.js").FormulaTerm} */
  filledIn(node, places) {
    /** @type {number[]} */
    const values = [];
    const text = formulaText(this.filled(node, places, values));
    return { text, values: values.map((one) => (Number.isFinite(one) ? one : jsonWord(one))) };
  }

  /** @param {Tree} node @param {Places} places @param {number[]} values @returns {Tree} with numbers for its names */
  filled(node, places, values) {
    const inner = (/** @type {Tree} */ part) => this.filled(part, places, values);
    switch (node.kind) {
      case "number":
        return node;
      case "choice":
        return inner(this.value(node.test, places) ? node.then : node.otherwise);
      case "compare":
      case "both":
      case "not":
        return numeral(this.value(node, places));
      case "minus":
        return simple({ kind: "minus", inner: inner(node.inner) });
      case "binary":
        return simple(binary(node.op, inner(node.left), inner(node.right)));
      case "call":
        return { ...node, parts: node.parts.map(inner) };
    }
    const value = this.value(node, places);
    if (this.isWhole(node, places) && value >= 0) return numeral(value);
    values.push(value);
    return { kind: "name", name: `⟨${values.length - 1}⟩` };
  }

  /** @param {Tree} node @param {Places} places @returns {boolean} whether its values are whole numbers by their kind */
  isWhole(node, places) {
    if (node.kind === "number") return !/[.e]/.test(node.text);
    if (node.kind === "name") return node.name in places || this.scope.isWhole(node.name);
    if (node.kind === "cell") return this.scope.isWhole(node.name);
    if (node.kind === "fold") return node.fold.startsWith("arg") || this.isWhole(node.body, everyLetter(node, places));
    if (node.kind === "compare" || node.kind === "both" || node.kind === "not") return true;
    if (node.kind === "call" || (node.kind === "binary" && node.op === "/")) return false;
    return partsOf(node).every((part) => this.isWhole(part, places));
  }
}

/** @param {import("./tree.js").Folded} node @param {Places} places @returns {Places} */
function everyLetter({ letters }, places) {
  return { ...places, ...Object.fromEntries(letters.map(({ name }) => [name, 0])) };
}
