import { Evaluator } from "./evaluate.js";
import { productsOf, sizeOf, total } from "./terms.js";
/** @typedef {import("./scope.js").Scope} Scope */
/** @typedef {import("./tape.js").Reading} Reading */
/** @typedef {import("./terms.js").Terms} Terms */
/** @typedef {{right: import("./tree.js").Tree, places: import("./evaluate.js").Places, scope: Scope}} Formula */

// As in backend/inspect/cell/linearize.py.
const [NUDGE, CLOSE, MOST_TRIED, MOST_READ] = [1e-5, 1e-12, 2_000, 400_000];

/**
 * @param {Terms[]} all of every input @param {Reading} read @param {Formula} formula
 * @returns {Terms[]} of the most inputs in which the cell is linear together; of several the first in reading order
 */
export function linearIn(all, read, formula) {
  const products = all.map(productsOf);
  const sums = products.map(total);
  const size = total(products.map(sizeOf)) + Math.abs(read.value);
  for (const chosen of choices(all.length)) {
    const sum = total(chosen.map((place) => sums[place]));
    if (Math.abs(sum - read.value) > CLOSE * size) continue;
    const inputs = chosen.map((place) => all[place]);
    if (staysLinear(inputs, formula)) return inputs;
  }
  return [];
}

/** @param {number} count @returns {number[][]} the ways to take some of so many, all of them first */
function choices(count) {
  /** @type {number[][]} */
  const found = [];
  for (let taken = count; taken > 0 && found.length < MOST_TRIED; taken -= 1) found.push(...chosen(0, count, taken));
  return found.slice(0, MOST_TRIED);
}

/** @param {number} from @param {number} count @param {number} taken @returns {number[][]} */
function chosen(from, count, taken) {
  if (!taken) return [[]];
  const firsts = Array.from({ length: Math.max(0, count - from - taken + 1) }, (_, i) => from + i);
  return firsts.flatMap((first) => chosen(first + 1, count, taken - 1).map((others) => [first, ...others]));
}

/**
 * @param {Terms[]} inputs @param {Formula} formula
 * @returns {boolean} whether moved inputs move it as their terms say
 */
function staysLinear(inputs, { right, places, scope }) {
  const nudges = inputs.map(({ through }) => nudgeOf(scope, scope.node(through).variable));
  const moved = scope.with(new Map(inputs.map(({ through }, i) => [scope.node(through).variable, nudges[i]])));
  const value = new Evaluator(moved, MOST_READ).value(right, places);
  const parts = inputs.flatMap(({ local, arriving }, i) => local.map((one, at) => one * nudges[i](arriving[at])));
  return Math.abs(total(parts) - value) <= CLOSE * sizeOf(parts);
}

/** @param {Scope} scope @param {string} variable @returns {(value: number) => number} equal cells stay equal */
function nudgeOf(scope, variable) {
  const size = scope.tensor(variable).stats.maxAbs;
  return size ? (value) => value + NUDGE * size * Math.sin((1000 * value) / size) : (value) => value;
}
