import assert from "node:assert/strict";
import { test } from "node:test";
import { motionOf } from "../../../static/js/equation/flights.js";
import { Tensor } from "../../../static/js/shared/tensor.js";
import { wire } from "../document.js";

/** @typedef {import("../../../static/js/equation/equation.js").Piece} Piece */

/** @param {string} label @param {number[]} shape @param {number[]} values @param {object} [more] @returns {any} */
function piece(label, shape, values, more = {}) {
  return { type: "tensor", label, shape, tensor: new Tensor(wire(values, shape)), stretch: null, ...more };
}

/** @param {number[]} values @param {number[]} shape */
function whole(values, shape) {
  const bytes = new Uint8Array(new Int32Array(values).buffer);
  const bdata = Buffer.from(bytes).toString("base64");
  return new Tensor({ dtype: /** @type {const} */ ("i4"), shape: shape.join(", "), bdata });
}

const sign = (/** @type {string} */ text) => ({ type: "sign", text, words: "" });
const count = (/** @type {number} */ from, /** @type {number} */ to) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** @param {any[][]} rows @param {object} [step] @param {object} [walk] */
function motion(rows, step = {}, walk = {}) {
  const frame = { step: { direction: "backward", mode: "=", ...step }, walk };
  return motionOf(/** @type {any} */ (frame), /** @type {any} */ ({ rows, spoken: "" }));
}

/** @param {any} rect */
const at = ({ x, y, w, h }) => [x, y, w, h];

test("a sum over columns: each column goes to the one column, the nearest first, and the sum grows", () => {
  const from = piece("product", [2, 3], [1, 2, 3, 4, 5, 6]);
  const result = piece("result", [2, 1], [6, 15]);
  const moved = motion([[{ type: "sum", axis: 1, from, result }]], { picture: { axes: [{ axis: 1 }] } });
  assert.deepEqual(moved?.kinds, ["collapse"]);
  assert.deepEqual(
    moved?.flights.map((one) => [at(one.source), at(one.target)]),
    [0, 1, 2].map((x) => [
      [x, 0, 1, 2],
      [0, 0, 1, 2],
    ]),
  );
  const starts = moved?.flights.map((one) => one.start) ?? [];
  assert.ok(starts[2] < starts[1] && starts[1] < starts[0]);
  assert.deepEqual(
    moved?.arrivals.map((one) => one.values),
    [
      [3, 6],
      [2, 5],
      [1, 4],
    ],
    "the last column is added first",
  );
  assert.deepEqual(moved?.covered, [result]);
});

test("a sum over rows, and over all axes", () => {
  const from = piece("product", [2, 3], [1, 2, 3, 4, 5, 6]);
  const rows = motion([[{ type: "sum", axis: 0, from, result: piece("r", [3], [5, 7, 9]) }]]);
  assert.deepEqual(
    rows?.flights.map((one) => [at(one.source), at(one.target)]),
    [0, 1].map((y) => [
      [0, y, 3, 1],
      [0, 0, 3, 1],
    ]),
  );
  const axes = { picture: { axes: [{ axis: 0 }, { axis: 1 }] } };
  const all = motion([[{ type: "sum", axis: 0, from, result: piece("r", [], [21]) }]], axes);
  assert.equal(all?.flights.length, 6);
  assert.deepEqual(at(all?.flights[4].source), [1, 1, 1, 1]);
});

test("a mean grows by a share of what arrives; what no sum makes comes into sight without being added up", () => {
  const from = piece("product", [2, 3], [1, 2, 3, 4, 5, 6]);
  const mean = motion([[{ type: "sum", axis: 1, from, result: piece("mean", [2], [2, 5]) }]]);
  assert.deepEqual(
    mean?.arrivals.map(({ values }) => values.map((value) => Math.round(3 * value))),
    [
      [3, 6],
      [2, 5],
      [1, 4],
    ],
  );
  const largest = motion([[{ type: "sum", axis: 1, from, result: piece("largest", [2], [3, 6]) }]]);
  assert.deepEqual([largest?.arrivals.length, largest?.reveals.length], [0, 6]);
});

test("broadcasting: the one row goes out to its copies, before anything else", () => {
  const row = piece("b", [1, 3], [1, 2, 3], { stretch: [4, 3] });
  const moved = motion(
    [[piece("x", [4, 3], count(1, 12)), sign("+"), row, sign("="), piece("y", [4, 3], count(1, 12))]],
    { direction: "forward" },
  );
  assert.deepEqual(moved?.kinds, ["copy"]);
  assert.deepEqual(
    moved?.flights.map((one) => [one.from.label, one.to.label, at(one.source), at(one.target)]),
    [1, 2, 3].map((y) => ["b", "b", [0, 0, 3, 1], [0, y, 3, 1]]),
  );
});

test("a product: rows of the left and columns of the right meet where their number is", () => {
  const [a, b, c] = [
    piece("a", [2, 3], count(1, 6)),
    piece("b", [3, 4], count(1, 12)),
    piece("c", [2, 4], count(1, 8)),
  ];
  const moved = motion([[a, sign("@"), b, sign("="), c]]);
  const from = (/** @type {any} */ one) => moved?.flights.filter((flight) => flight.from === one) ?? [];
  assert.deepEqual(moved?.kinds, ["product"]);
  assert.deepEqual(
    from(a).map((one) => [at(one.source), at(one.target)]),
    [0, 1].map((y) => [
      [0, y, 3, 1],
      [0, y, 4, 1],
    ]),
  );
  assert.deepEqual(
    from(b).map((one) => [at(one.source), at(one.target)]),
    [0, 1, 2, 3].map((x) => [
      [x, 0, 1, 3],
      [x, 0, 1, 2],
    ]),
  );
  const seen = new Set(
    moved?.reveals.flatMap(({ rect }) =>
      count(rect.y, rect.y + rect.h - 1).flatMap((y) => count(rect.x, rect.x + rect.w - 1).map((x) => `${y} ${x}`)),
    ),
  );
  assert.equal(seen.size, 8, "every number of the product comes into sight");
  assert.equal(motion([[b, sign("@"), a, sign("="), c]]), null, "shapes that do not meet do not move");
});

test("two paths add up row by row", () => {
  const [before, path] = [piece("dx", [2, 2], [1, 1, 1, 1]), piece("this path", [2, 2], [1, 2, 3, 4])];
  const end = piece("dx", [2, 2], [2, 3, 4, 5]);
  const walk = { before: () => before.tensor, tensor: (/** @type {any} */ one) => new Tensor(one) };
  const step = { mode: "+=", contribution: wire([1, 2, 3, 4], [2, 2]) };
  const moved = motion([[before, sign("+"), path, sign("="), end]], step, walk);
  assert.deepEqual(moved?.kinds, ["add"]);
  assert.deepEqual(
    moved?.flights.map((one) => [one.from.label, one.to === end, at(one.source), at(one.target)]),
    ["dx", "this path"].flatMap((label) => [0, 1].map((y) => [label, true, [0, y, 2, 1], [0, y, 2, 1]])),
  );
  const sums = [0, 0, 0, 0];
  for (const { cells, values } of moved?.arrivals ?? []) cells.forEach((cell, i) => (sums[cell] += values[i]));
  assert.deepEqual(sums, [2, 3, 4, 5]);
});

test("a path that is a sum is summed first, and added then", () => {
  const before = piece("dw", [3], [1, 1, 1]);
  const product = piece("x * dy", [2, 3], [1, 2, 3, 4, 5, 6]);
  const path = piece("this path", [3], [5, 7, 9]);
  const end = piece("dw", [3], [6, 8, 10]);
  const walk = { before: () => before.tensor, tensor: (/** @type {any} */ one) => new Tensor(one) };
  const step = { mode: "+=", contribution: wire([5, 7, 9], [3]), picture: { axes: [{ axis: 0 }], then: "" } };
  const row = [before, sign("+ ("), { type: "sum", axis: 0, from: product, result: path }, sign(") ="), end];
  const moved = motion([row], step, walk);
  assert.deepEqual(moved?.kinds, ["collapse", "add"]);
  const [summed, added] = [moved?.flights.slice(0, 2) ?? [], moved?.flights.slice(2) ?? []];
  assert.deepEqual(
    [summed, added].map((some) => some.map(({ from, to }) => [from, to])),
    [
      [
        [product, path],
        [product, path],
      ],
      [
        [before, end],
        [path, end],
      ],
    ],
  );
  assert.ok(Math.max(...summed.map((one) => one.end)) <= Math.min(...added.map((one) => one.start)) + 1e-9);
});

test("rows are fetched from where the indexes say, and put back there, where they add up", () => {
  const table = piece("C", [3, 2], [1, 2, 3, 4, 5, 6]);
  const places = { ...piece("Xb", [2], [0, 0]), tensor: whole([2, 0], [2]) };
  const picked = piece("emb", [2, 2], [5, 6, 1, 2]);
  const forward = motion([[table, sign(","), places, sign("→"), picked]], { direction: "forward" });
  assert.deepEqual(forward?.kinds, ["fetch"]);
  assert.deepEqual(
    forward?.flights.map((one) => [one.from.label, at(one.source), at(one.target)]),
    [
      ["C", [0, 2, 2, 1], [0, 0, 2, 1]],
      ["C", [0, 0, 2, 1], [0, 1, 2, 1]],
    ],
  );
  const other = piece("emb", [2, 2], [5, 6, 1, 7]);
  assert.equal(
    motion([[table, sign(","), places, sign("→"), other]], { direction: "forward" }),
    null,
    "nothing is said to be fetched that is not",
  );
  const dC = piece("dC", [3, 2], [0, 0, 0, 0, 4, 6]);
  const walk = { node: () => ({ inputs: ["Xb"], value: "Xb" }), tensor: () => whole([2, 2], [2]) };
  const step = { through: "emb", picture: { axes: [], then: "scatter" } };
  const back = motion([[piece("demb", [2, 2], [1, 2, 3, 4]), sign("→"), dC]], step, walk);
  assert.deepEqual(back?.kinds, ["put back"]);
  assert.deepEqual(
    back?.flights.map((one) => [at(one.source), at(one.target)]),
    [
      [
        [0, 0, 2, 1],
        [0, 2, 2, 1],
      ],
      [
        [0, 1, 2, 1],
        [0, 2, 2, 1],
      ],
    ],
  );
  assert.equal(back?.arrivals.length, 2);
});

test("a number goes to every cell it fills, a gradient to all its copies, cells to places in another shape", () => {
  const picture = (/** @type {string} */ then) => ({ picture: { axes: [], then } });
  const filled = motion([[piece("dloss", [], [1]), sign("="), piece("d", [2, 2], [0, -1, 0, -1])]], picture("fill"));
  assert.deepEqual(
    filled?.flights.map((one) => at(one.target)),
    [
      [1, 0, 1, 1],
      [1, 1, 1, 1],
    ],
  );
  const spread = motion(
    [[piece("ds", [2, 1], [1, 2]), sign("→"), piece("d", [2, 3], [1, 1, 1, 2, 2, 2])]],
    picture("spread"),
  );
  assert.deepEqual(
    spread?.flights.map((one) => [at(one.source), at(one.target)]),
    [0, 1, 2].map((x) => [
      [0, 0, 1, 2],
      [x, 0, 1, 2],
    ]),
  );
  const view = motion(
    [[piece("d", [4], [1, 2, 3, 4]), sign("→"), piece("e", [2, 2], [1, 2, 3, 4])]],
    picture("rearrange"),
  );
  assert.deepEqual(
    view?.flights.map((one) => [at(one.source), at(one.target)]),
    [
      [
        [0, 0, 2, 1],
        [0, 0, 2, 1],
      ],
      [
        [2, 0, 2, 1],
        [0, 1, 2, 1],
      ],
    ],
  );
});

test("nothing moves in a product cell by cell, nor while a question is open", () => {
  const cells = (/** @type {string} */ label) => piece(label, [2, 2], [1, 2, 3, 4]);
  assert.equal(
    motion([[cells("a"), sign("⊙"), cells("b"), sign("="), cells("c")]], { picture: { axes: [], then: "" } }),
    null,
  );
});
