import { equationIn, treeIn } from "./reader.js";
import { factorsOf, keyOf, numbersOf } from "./spread.js";
import { readingOf } from "./tape.js";
import { comparison, largest, overOf, productsOf, sizeOf, total } from "./terms.js";
import { NotExpressible } from "./tree.js";
import { linearIn } from "./linear.js";
import { ravel, Tensor } from "../shared/tensor.js";
/** @typedef {import("../lens/types.js").OpenedCell} OpenedCell */
/** @typedef {import("../lens/types.js").Term} Term */
/** @typedef {import("../lens/types.js").TermPath} TermPath */
/** @typedef {import("../walk/pick.js").Pick} Pick */
/** @typedef {import("./evaluate.js").Places} Places */
/** @typedef {import("./scope.js").Scope} Scope */
/** @typedef {import("./terms.js").Terms} Terms */
/** @typedef {import("./tree.js").Tree} Tree */
/**
 * What is the same for every cell of a tensor: the formula, and the paths by which terms come.
 * @typedef {{formula: string, paths: Omit<TermPath, "count"|"sum"|"over">[]}} Outline
 */

/**
 * One number of a walk opened into its terms, as POST /api/cell answers: worked out from the formula in index letters.
 * @param {Outline} outline @param {Pick} pick @param {Scope} scope @returns {OpenedCell} @throws {NotExpressible}
 */
export function openedCell(outline, pick, scope) {
  const { tensor, which, index } = pick;
  const about = shownIn(pick, scope);
  const shown = about.data[ravel(about.whole, index)];
  if (!Number.isFinite(shown)) throw new NotExpressible("not finite"); // where that begins is another question
  const work = which === "value" ? openedValue : openedGradient;
  const opened = work(outline, pick, scope, { tensor: about, shown });
  const told = opened.terms.flatMap(({ local, arriving, product }) => [local, arriving, product ?? 0]);
  if (![opened.sum, ...told].every(Number.isFinite)) throw new NotExpressible("not finite");
  return { tensor, which, index, because: "", ...opened };
}

/** @typedef {{tensor: Tensor, shown: number}} Shown */
/** @typedef {Omit<OpenedCell, "tensor"|"which"|"index"|"because">} Opened */

/** @param {Pick} pick @param {Scope} scope @returns {Tensor} the tensor that the number stands in */
function shownIn({ tensor, which, step }, scope) {
  const { variable } = scope.node(tensor);
  if (which !== "contribution") return scope.tensor(which === "value" ? variable : `d${variable}`);
  const found = scope.document.steps[step ?? -1];
  const whole = found?.direction === "backward" && "picture" in found ? found : null;
  const wire = whole && (whole.contribution ?? whole.accumulated);
  if (!wire || "pooled" in wire) throw new NotExpressible(tensor);
  return new Tensor(wire);
}

/** @param {string} formula @param {number[]} index @returns {{right: Tree, places: Places}} */
export function formulaAt(formula, index) {
  const { letters, right } = equationIn(formula);
  const named = letters.map((letter, axis) => /** @type {const} */ ([letter, index[axis]]));
  return { right, places: Object.fromEntries(named.filter(([letter]) => letter !== null)) };
}

/** @param {Outline} outline @param {Pick} pick @param {Scope} scope @param {Shown} seen @returns {Opened} */
function openedGradient({ formula, paths }, { tensor, index }, scope, seen) {
  const { right, places } = formulaAt(formula, index);
  const numbers = numbersOf(right, places, scope);
  const found = paths.map((path) => gradientTerms(path, tensor, places, scope));
  const few = found.map(({ every }) => ({ ...every, ...withoutZeros(every) }));
  const every = found.map((one) => one.every);
  // the formula has more terms: some local derivatives are zero by what stands there
  const silent = counted(few) < (numbers?.count ?? 0) && counted(every) === numbers?.count;
  const parts = silent ? every : few;
  const groups = joined(parts).map((group) => (silent ? group : withoutZeros(group)));
  const products = groups.flatMap(productsOf);
  const sizes = total(parts.map((part) => sizeOf(productsOf(part))));
  const doubt = total(found.map((one) => one.sizes)) * 2 ** -22;
  return {
    formula,
    numbers,
    ...comparison(seen.tensor, seen.shown, total(products), sizes, doubt),
    adds: true,
    count: products.length,
    ...withFactors(largest(groups), factorsOf(right, places, scope), scope, "d"),
    paths: paths.map((path, i) => pathWith(path, parts[i], true)),
  };
}

/**
 * @param {Outline["paths"][number]} path @param {string} tensor @param {Places} places @param {Scope} scope
 * @returns {{every: Terms, sizes: number}} also those whose local derivative is zero
 */
function gradientTerms({ through, formula }, tensor, places, scope) {
  const { shape, dims, variable } = scope.node(through);
  if (through === tensor)
    return { every: { through, shape: [], dims: [], flat: [0], local: [1], arriving: [1] }, sizes: 0 };
  const { slopes, sizes } = readingOf(treeIn(formula), places, scope);
  return { every: termsOf(through, shape, dims, slopes.get(`d${variable}`), scope.tensor(`d${variable}`)), sizes };
}

/**
 * @param {string} through @param {number[]} shape @param {string[]} dims @param {Map<number, number>|undefined} slopes
 * @param {Tensor} tensor @returns {Terms} in the order of their places
 */
function termsOf(through, shape, dims, slopes, tensor) {
  const found = [...(slopes ?? [])].sort(([one], [other]) => one - other);
  return {
    through,
    shape,
    dims,
    flat: found.map(([flat]) => flat),
    local: found.map(([, slope]) => slope),
    arriving: found.map(([flat]) => tensor.data[flat]),
  };
}

/** @param {Terms} terms @returns {Terms} */
function withoutZeros(terms) {
  const kept = [...terms.local.keys()].filter((i) => terms.local[i] !== 0);
  const [flat, local, arriving] = [terms.flat, terms.local, terms.arriving].map((all) => kept.map((i) => all[i]));
  return { ...terms, flat, local, arriving };
}

/** @param {Terms[]} parts */
function counted(parts) {
  return parts.reduce((sum, { flat }) => sum + flat.length, 0);
}

/** @param {Terms[]} parts @returns {Terms[]} one for each tensor: along several paths local derivatives add up */
function joined(parts) {
  /** @type {Map<string, Terms[]>} */
  const by = new Map();
  for (const part of parts) by.set(part.through, [...(by.get(part.through) ?? []), part]);
  return [...by.values()].map(added);
}

/** @param {Terms[]} several @returns {Terms} */
function added(several) {
  if (several.length === 1) return several[0];
  /** @type {Map<number, {local: number, arriving: number}>} */
  const sums = new Map();
  for (const { flat, local, arriving } of several)
    flat.forEach((place, i) =>
      sums.set(place, { local: (sums.get(place)?.local ?? 0) + local[i], arriving: arriving[i] }),
    );
  const found = [...sums].sort(([one], [other]) => one - other);
  return {
    ...several[0],
    flat: found.map(([place]) => place),
    local: found.map(([, { local }]) => local),
    arriving: found.map(([, { arriving }]) => arriving),
  };
}

/** @param {Outline} outline @param {Pick} pick @param {Scope} scope @param {Shown} seen @returns {Opened} */
function openedValue({ formula, paths }, { index }, scope, seen) {
  if (!paths.length && !formula) return given(seen);
  const { right, places } = formulaAt(formula, index);
  const read = readingOf(right, places, scope);
  const inputs = paths.filter(({ through }) => scope.isDecimal(scope.node(through).variable));
  const all = inputs.map(({ through }) => {
    const { shape, dims, variable } = scope.node(through);
    return withoutZeros(termsOf(through, shape, dims, read.slopes.get(variable), scope.tensor(variable)));
  });
  const summed = linearIn(all, read, { right, places, scope });
  const taken = summed.length ? summed : all;
  const { terms, rest } = withFactors(largest(taken), factorsOf(right, places, scope), scope, "");
  const sum = summed.length ? total(taken.flatMap(productsOf)) : read.value;
  return {
    formula,
    numbers: numbersOf(right, places, scope),
    ...comparison(seen.tensor, seen.shown, sum, read.sizes),
    adds: summed.length > 0,
    count: counted(taken),
    terms: summed.length ? terms : terms.map((term) => ({ ...term, product: null })),
    rest: summed.length ? rest : { ...rest, sum: null },
    paths: paths.map((path) => {
      const part = taken.find(({ through }) => through === path.through);
      return pathWith(path, part, summed.length > 0, path.broadcast);
    }),
  };
}

/** @param {Shown} seen @returns {Opened} of a tensor that is given before the walk begins */
function given({ tensor, shown }) {
  const told = { adds: true, count: 0, terms: [], rest: { count: 0, sum: 0 }, paths: [] };
  return { formula: "", numbers: null, ...comparison(tensor, shown, shown, 0), ...told };
}

/**
 * @param {Outline["paths"][number]} path @param {Terms|undefined} part @param {boolean} adds
 * @param {boolean} [broadcast] as it is told; of a gradient only where there is more than one copy @returns {TermPath}
 */
function pathWith(path, part, adds, broadcast) {
  const over = part ? overOf(part) : [];
  const sum = part && adds ? total(productsOf(part)) : null;
  return {
    ...path,
    count: part?.flat.length ?? 0,
    sum,
    over,
    broadcast: broadcast ?? (path.broadcast && over.length > 0),
  };
}

/**
 * @param {{terms: Term[], rest: {count: number, sum: number}}} found @param {ReturnType<typeof factorsOf>} factors
 * @param {Scope} scope @param {""|"d"} arrives before the name of the tensor that a term goes through
 */
function withFactors({ terms, rest }, factors, scope, arrives) {
  const named = terms.map((term) => {
    const name = arrives + scope.node(term.through).variable;
    return { ...term, factor: factorAt(factors.get(keyOf({ name, index: term.cell })), scope) };
  });
  return { terms: named, rest };
}

/** @param {import("./spread.js").Place|undefined} place @param {Scope} scope @returns {Term["factor"]} */
function factorAt(place, scope) {
  if (!place) return null;
  const { nodes } = scope.document;
  const value = nodes.find(({ variable }) => variable === place.name);
  const node = value ?? nodes.find(({ variable }) => `d${variable}` === place.name);
  return node ? { tensor: node.name, of: value ? "value" : "gradient", cell: place.index } : null;
}
