import assert from "node:assert/strict";
import { test } from "node:test";
import { partnersOf } from "../../../static/js/walk/partners.js";
import { unravel } from "../../../static/js/shared/tensor.js";
/** @typedef {import("../../../static/js/walk/types.js").CellReads} CellReads */
/** @typedef {Record<string, number[]>} Cells numbers by the name of a tensor, in row-major order */
/**
 * A rule as its document says it, and worked out with plain loops.
 * @typedef {{name: string, shapes: Record<string, number[]>, cells: CellReads[], run: (given: Cells) => Cells,
 *   index?: Record<string, number[][]>}} Case
 */

/**
 * @param {string} of @param {string[]} index @param {Record<string, number>} sizes
 * @param {[string, (string|null)[], string[]?, number[]?][]} reads @returns {CellReads}
 */
function made(of, index, sizes, reads) {
  return {
    of,
    index,
    sizes,
    reads: reads.map(([name, at, where = [], apart = []]) => ({ of: name, at, where, apart })),
  };
}

/** @param {number[]} shape @param {(...index: number[]) => number} value @returns {number[]} */
function filled(shape, value) {
  const size = shape.reduce((a, b) => a * b, 1);
  return Array.from({ length: size }, (_, flat) => value(...unravel(shape, flat)));
}
/** @param {number} count @param {(i: number) => number} term */
const sum = (count, term) => Array.from({ length: count }, (_, i) => term(i)).reduce((a, b) => a + b, 0);

const Xb = [
  [2, 0],
  [1, 2],
  [2, 2],
];

/** @type {Case[]} */
const CASES = [
  {
    name: "cell by cell, one of them copied",
    shapes: { a: [3, 4], b: [1, 4], result: [3, 4] },
    cells: [
      made("result", ["i", "j"], { i: 3, j: 4 }, [
        ["a", ["i", "j"]],
        ["b", ["0", "j"]],
      ]),
    ],
    run: ({ a, b }) => ({ result: filled([3, 4], (i, j) => a[i * 4 + j] * b[j]) }),
  },
  {
    name: "a matrix product, and a bias that is added",
    shapes: { a: [3, 2], b: [2, 4], c: [4], result: [3, 4] },
    cells: [
      made("result", ["i", "j"], { i: 3, j: 4, k: 2 }, [
        ["a", ["i", "k"], [], [2]],
        ["b", ["k", "j"], [], [2]],
        ["c", ["j"], [], [0, 1]],
      ]),
    ],
    run: ({ a, b, c }) => ({ result: filled([3, 4], (i, j) => sum(2, (k) => a[i * 2 + k] * b[k * 4 + j]) + c[j]) }),
  },
  {
    name: "a product, then its sum over an axis",
    shapes: { a: [3, 4], b: [3, 4], product: [3, 4], result: [3, 1] },
    cells: [
      made("product", ["i", "j"], { i: 3, j: 4 }, [
        ["a", ["i", "j"]],
        ["b", ["i", "j"]],
      ]),
      made("result", ["i", "0"], { i: 3, j: 4 }, [["product", ["i", "j"]]]),
    ],
    run({ a, b, product = filled([3, 4], (i, j) => a[i * 4 + j] * b[i * 4 + j]) }) {
      return { product, result: filled([3, 1], (i) => sum(4, (j) => product[i * 4 + j])) };
    },
  },
  {
    name: "rows fetched by an index",
    shapes: { C: [4, 2], result: [3, 2, 2] },
    cells: [made("result", ["i", "j", "k"], { i: 3, j: 2, k: 2 }, [["C", ["Xb[i, j]", "k"]]])],
    run: ({ C }) => ({ result: filled([3, 2, 2], (i, j, k) => C[Xb[i][j] * 2 + k]) }),
  },
  {
    name: "rows put back, those picked twice added up",
    shapes: { d: [3, 2, 2], result: [4, 2] },
    cells: [made("result", ["i", "j"], { i: 4, j: 2, k: 3, l: 2 }, [["d", ["k", "l", "j"], ["Xb[k, l] == i"]]])],
    run: ({ d }) => ({
      result: filled([4, 2], (i, j) => sum(3, (k) => sum(2, (l) => (Xb[k][l] === i ? d[(k * 2 + l) * 2 + j] : 0)))),
    }),
  },
  {
    name: "a view",
    shapes: { a: [2, 3, 2], result: [2, 6] },
    cells: [made("result", ["i", "j"], { i: 2, j: 6 }, [["a", ["i", "j // 2", "j % 2"]]])],
    run: ({ a }) => ({ result: a.slice() }),
  },
  {
    name: "a view, back",
    shapes: { a: [2, 6], result: [2, 3, 2] },
    cells: [made("result", ["i", "j", "k"], { i: 2, j: 3, k: 2 }, [["a", ["i", "2 * j + k"]]])],
    run: ({ a }) => ({ result: a.slice() }),
  },
  {
    name: "two joined",
    shapes: { a: [2, 2], b: [2, 3], result: [2, 5] },
    cells: [
      made("result", ["i", "j"], { i: 2, j: 5 }, [
        ["a", ["i", "j"], ["j < 2"], [1]],
        ["b", ["i", "j - 2"], ["not (j < 2)"], [0]],
      ]),
    ],
    run: ({ a, b }) => ({ result: filled([2, 5], (i, j) => (j < 2 ? a[i * 2 + j] : b[i * 3 + j - 2])) }),
  },
  {
    name: "the last of a row, counted from behind",
    shapes: { a: [3, 4], result: [3] },
    cells: [made("result", ["i"], { i: 3 }, [["a", ["i", "-1"]]])],
    run: ({ a }) => ({ result: filled([3], (i) => a[i * 4 + 3]) }),
  },
  {
    name: "softmax: a row and its sum",
    shapes: { a: [2, 3], result: [2, 3] },
    cells: [
      made("result", ["i", "j"], { i: 2, j: 3, k: 3 }, [
        ["a", ["i", "j"]],
        ["a", ["i", "k"]],
      ]),
    ],
    run: ({ a }) => ({
      result: filled([2, 3], (i, j) => Math.exp(a[i * 3 + j]) / sum(3, (k) => Math.exp(a[i * 3 + k]))),
    }),
  },
  {
    name: "one number for all",
    shapes: { a: [], result: [2, 3] },
    cells: [made("result", ["i", "j"], { i: 2, j: 3 }, [["a", []]])],
    run: ({ a }) => ({ result: filled([2, 3], () => a[0]) }),
  },
];

/** @param {string} name @param {number[]} index @returns {number|null} */
const cell = (name, [i, j]) => (name === "Xb" ? Xb[i][j] : null);
/** @param {number[]} shape */
const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);

/**
 * @param {Case} one @param {string} source @param {number} flat
 * @returns {Record<string, number[]>} the cells that change with one cell of a source
 */
function changedBy({ shapes, run, cells }, source, flat) {
  const outcomes = cells.map(({ of }) => of);
  /** @type {Cells} */
  const given = {};
  for (const [name, shape] of Object.entries(shapes))
    if (!outcomes.includes(name)) given[name] = filled(shape, (...at) => 0.3 + sizeOf(at.map((i) => i + 1.7)));
  const before = run(given);
  const start = given[source] ?? before[source];
  const after = run({ ...given, [source]: start.map((value, i) => (i === flat ? value + 0.5 : value)) });
  const found = outcomes.map((of) => [of, before[of].flatMap((value, i) => (value === after[of][i] ? [] : [i]))]);
  return Object.fromEntries(found);
}

for (const one of CASES) {
  const { name, shapes, cells } = one;
  const partners = partnersOf(cells, (part) => shapes[part], cell);
  const outcomes = cells.map(({ of }) => of);
  const sources = Object.keys(shapes).filter((part) => part !== "result");

  test(`${name}: a cell goes to the cells that change with it`, () => {
    for (const source of sources) {
      for (let flat = 0; flat < sizeOf(shapes[source]); flat += 1) {
        const lit = partners.of(source, unravel(shapes[source], flat));
        const changed = changedBy(one, source, flat);
        for (const of of outcomes)
          assert.deepEqual(sorted(lit.get(of)), changed[of], `${source}[${flat}] goes to ${of}`);
        assert.ok(lit.get(source)?.has(flat), "itself");
      }
    }
  });

  test(`${name}: a cell comes from the cells that change it`, () => {
    for (const of of outcomes) {
      for (let flat = 0; flat < sizeOf(shapes[of]); flat += 1) {
        const lit = partners.of(of, unravel(shapes[of], flat));
        for (const source of sources.filter((part) => part !== of && !(of === "product" && part === "result"))) {
          const all = Array.from({ length: sizeOf(shapes[source]) }, (_, i) => i);
          const wanted = all.filter((there) => changedBy(one, source, there)[of]?.includes(flat));
          assert.deepEqual(sorted(lit.get(source)), wanted, `${of}[${flat}] comes from ${source}`);
        }
      }
    }
  });
}

test("a factor meets what it is multiplied with, and nothing that is only added", () => {
  const { shapes, cells } = CASES[1];
  const partners = partnersOf(cells, (part) => shapes[part], cell);
  const left = partners.of("a", [1, 0]);
  assert.deepEqual(sorted(left.get("b")), [0, 1, 2, 3], "row 0 of the right matrix");
  assert.equal(left.get("c"), undefined);
  assert.equal(partners.of("c", [2]).get("a"), undefined);
  const both = partners.of("result", [2, 3]);
  assert.deepEqual(sorted(both.get("a")), [4, 5], "the row");
  assert.deepEqual(sorted(both.get("b")), [3, 7], "the column");
  assert.deepEqual(sorted(both.get("c")), [3]);
});

test("an index that nobody knows may be any", () => {
  const cells = [made("result", ["i"], { i: 2 }, [["a", ["i", null]]])];
  const partners = partnersOf(cells, (part) => (part === "a" ? [2, 3] : [2]), cell);
  assert.deepEqual(sorted(partners.of("result", [1]).get("a")), [3, 4, 5]);
  assert.deepEqual(sorted(partners.of("a", [1, 2]).get("result")), [1]);
});

test("so many cells that no one could wait are not looked through", () => {
  const cells = [made("result", ["i"], { i: 2, j: 4000, k: 4000 }, [["a", ["(i + j + k) % 9"]]])];
  const start = process.cpuUsage();
  partnersOf(cells, (part) => (part === "a" ? [9] : [2]), cell).of("result", [1]);
  assert.ok(process.cpuUsage(start).user < 5e6);
});

/** @param {Set<number>|undefined} cells */
function sorted(cells) {
  return [...(cells ?? [])].sort((a, b) => a - b);
}
