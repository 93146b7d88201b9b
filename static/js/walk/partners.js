import { parseIndex } from "./index-expression.js";
import { ravel, unravel } from "../shared/tensor.js";
/** @typedef {import("./index-expression.js").Expression} Expression */
/** @typedef {import("./index-expression.js").Scope} Scope */
/** @typedef {import("./types.js").CellReads} CellReads */
/**
 * A read, its texts understood; `at` is null for an axis along which it may be any cell.
 * @typedef {{of: string, at: (Expression|null)[], where: Expression[], apart: number[]}} Read
 */
/** @typedef {{of: string, index: Expression[], sizes: Map<string, number>, reads: Read[]}} Made */
/** @typedef {Map<string, Set<number>>} Lit flat positions of cells, by the part of the picture they lie in */
/** @typedef {(name: string, index: number[]) => number|null} CellOf */

/** More cells than this are not looked through for one that is pointed at. */
const MOST = 70000;

/**
 * Which cells of a step's tensors belong together, as its document says it in index letters.
 * @param {CellReads[]} documents @param {(part: string) => number[]} shapeOf a part of the picture @param {CellOf} cell
 */
export function partnersOf(documents, shapeOf, cell) {
  const all = documents.map(understood);

  /** @param {string} part @param {number[]} place @returns {Lit} the cells that it comes from or goes to, itself too */
  function of(part, place) {
    /** @type {Lit} */
    const lit = new Map();
    const budget = { left: MOST };
    light(lit, part, shapeOf(part), place);
    comesFrom(part, [place], lit, budget);
    goesTo(part, [place], lit, budget);
    return lit;
  }

  /** @param {string} part @param {number[][]} places @param {Lit} lit @param {{left: number}} budget */
  function comesFrom(part, places, lit, budget) {
    for (const made of all.filter((one) => one.of === part)) {
      for (const read of made.reads) {
        /** @type {Set<number>} */
        const found = new Set();
        const shape = shapeOf(read.of);
        for (const place of places) {
          const start = { letters: lettersOf(made, place), cell };
          for (const there of cellsOf(read.at, read.where, start, made.sizes, shape, budget)) found.add(there);
        }
        add(lit, read.of, found);
        comesFrom(
          read.of,
          [...found].map((flat) => unravel(shape, flat)),
          lit,
          budget,
        );
      }
    }
  }

  /** @param {string} part @param {number[][]} places @param {Lit} lit @param {{left: number}} budget */
  function goesTo(part, places, lit, budget) {
    for (const made of all) {
      const shape = shapeOf(made.of);
      /** @type {Set<number>} */
      const reached = new Set();
      made.reads.forEach((read, position) => {
        if (read.of !== part) return;
        for (const place of places) {
          for (const letters of ways(read, place, shapeOf(part), made.sizes, cell, budget)) {
            const scope = { letters, cell };
            for (const there of cellsOf(made.index, [], scope, made.sizes, shape, budget)) reached.add(there);
            made.reads.forEach((other, number) => {
              if (number === position || read.apart.includes(number) || other.of === part) return;
              const found = cellsOf(other.at, other.where, scope, made.sizes, shapeOf(other.of), budget);
              add(lit, other.of, new Set(found));
            });
          }
        }
      });
      if (!reached.size) continue;
      add(lit, made.of, reached);
      const further = [...reached].map((flat) => unravel(shape, flat));
      if (made.of !== part) goesTo(made.of, further, lit, budget);
    }
  }

  return { of };
}

/** @param {CellReads} document @returns {Made} */
function understood({ of, index, sizes, reads }) {
  const known = new Map(Object.entries(sizes));
  const parse = (/** @type {string} */ text) => parseIndex(text, (name) => known.has(name));
  return {
    of,
    index: index.map(parse),
    sizes: known,
    reads: reads.map((read) => ({
      of: read.of,
      at: read.at.map((text) => (text === null ? null : parse(text))),
      where: read.where.map(parse),
      apart: read.apart,
    })),
  };
}

/** @param {Lit} lit @param {string} part @param {number[]} shape @param {number[]} place */
function light(lit, part, shape, place) {
  const flat = ravel(shape, place);
  if (flat >= 0) add(lit, part, new Set([flat]));
}

/** @param {Lit} lit @param {string} part @param {Set<number>} cells */
function add(lit, part, cells) {
  const there = lit.get(part) ?? new Set();
  for (const flat of cells) there.add(flat);
  if (there.size) lit.set(part, there);
}

/** @param {Made} made @param {number[]} place of a cell of it @returns {Map<string, number>} its own letters' values */
function lettersOf({ index }, place) {
  return new Map(
    index.flatMap(({ letter }, axis) => (letter === null ? [] : [/** @type {const} */ ([letter, place[axis]])])),
  );
}

/**
 * The cells at an index, for every value of the letters that are not known yet.
 * @param {(Expression|null)[]} at @param {Expression[]} where @param {Scope} scope @param {Map<string, number>} sizes
 * @param {number[]} shape @param {{left: number}} budget @returns {number[]} flat positions
 */
function cellsOf(at, where, scope, sizes, shape, budget) {
  /** @type {number[]} */
  const found = [];
  const open = unknownIn([...at, ...where], scope.letters);
  each(open, sizes, scope.letters, budget, (letters) => {
    const here = { letters, cell: scope.cell };
    if (!where.every((condition) => condition.value(here) !== 0)) return;
    for (const place of placesAt(at, here, shape)) found.push(place);
  });
  return found;
}

/** @param {(Expression|null)[]} at @param {Scope} scope @param {number[]} shape @returns {number[]} */
function placesAt(at, scope, shape) {
  /** @type {number[]} */
  let flat = [0];
  for (const [axis, size] of shape.entries()) {
    const part = at[axis];
    const place = part ? part.value(scope) : null;
    if (place === null) flat = flat.flatMap((before) => Array.from({ length: size }, (_, i) => before * size + i));
    else if (place < -size || place >= size) return [];
    else flat = flat.map((before) => before * size + (place < 0 ? place + size : place));
  }
  return flat;
}

/**
 * The values of letters for which a read is of one cell.
 * @param {Read} read @param {number[]} place @param {number[]} shape @param {Map<string, number>} sizes
 * @param {CellOf} cell @param {{left: number}} budget @returns {Map<string, number>[]} free letters are left out
 */
function ways({ at, where }, place, shape, sizes, cell, budget) {
  const letters = new Map();
  for (const [axis, part] of at.entries()) {
    if (!part?.letter) continue;
    const known = letters.get(part.letter);
    if (known !== undefined && known !== place[axis]) return [];
    letters.set(part.letter, place[axis]);
  }
  bindEqual(where, { letters, cell }, sizes);
  /** @type {Map<string, number>[]} */
  const found = [];
  const open = unknownIn([...at, ...where], letters);
  each(open, sizes, letters, budget, (all) => {
    const scope = { letters: all, cell };
    const here = at.every((part, axis) => {
      const value = part ? part.value(scope) : null;
      return value === null || value === place[axis] || value + shape[axis] === place[axis];
    });
    if (here && where.every((condition) => condition.value(scope) !== 0)) found.push(new Map(all));
  });
  return found;
}

/**
 * Letters that an equation tells: `Xb[k, l] == i` once k and l are known.
 * @param {Expression[]} where @param {Scope} scope @param {Map<string, number>} sizes
 */
function bindEqual(where, scope, sizes) {
  for (const { equal } of where) {
    if (!equal) continue;
    for (const [one, other] of [equal, [equal[1], equal[0]]]) {
      if (one.letter === null || scope.letters.has(one.letter) || unknownIn([other], scope.letters).length) continue;
      const value = other.value(scope);
      if (value === null) continue;
      const size = sizes.get(one.letter) ?? 0;
      scope.letters.set(one.letter, value < 0 ? value + size : value);
    }
  }
}

/** @param {(Expression|null)[]} parts @param {Map<string, number>} known @returns {string[]} */
function unknownIn(parts, known) {
  const open = new Set();
  for (const part of parts) for (const letter of part?.letters ?? []) if (!known.has(letter)) open.add(letter);
  return [...open];
}

/**
 * @param {string[]} open letters to try @param {Map<string, number>} sizes @param {Map<string, number>} known
 * @param {{left: number}} budget @param {(letters: Map<string, number>) => void} act
 */
function each(open, sizes, known, budget, act) {
  const letters = new Map(known);
  /** @param {number} depth */
  function turn(depth) {
    if (budget.left <= 0) return;
    if (depth === open.length) {
      budget.left -= 1;
      return act(letters);
    }
    const size = sizes.get(open[depth]) ?? 0;
    for (let i = 0; i < size && budget.left > 0; i += 1) {
      letters.set(open[depth], i);
      turn(depth + 1);
    }
  }
  turn(0);
}
