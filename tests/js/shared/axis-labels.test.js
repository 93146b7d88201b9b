import assert from "node:assert/strict";
import { test } from "node:test";
import { blockOf, blockText, columnTicks, drawnSide } from "../../../static/js/shared/axis-labels.js";

/** @param {number[]} whole @param {number[]|null} [block] @returns {any} */
const drawn = (whole, block = null) => ({ whole, block });

test("the sides of a tile count the cells of the tensor, not the blocks that are drawn", () => {
  const rows = drawnSide({}, ["example", "pixel"], drawn([300, 400], [3, 3]), "rows");
  assert.deepEqual([rows.count, rows.title, rows.name(299)], [300, "example", "299"]);
  const cols = drawnSide({}, ["example", "pixel"], drawn([300, 400], [3, 3]), "cols");
  assert.deepEqual([cols.count, cols.name(399)], [400, "399"]);
});

test("a tile of three axes has all but the last along its rows, a tensor drawn whole has the first", () => {
  const dims = ["example", "place", "unit"];
  assert.deepEqual(
    [
      drawnSide({}, dims, drawn([64, 20, 70], [2, 1]), "rows").count,
      drawnSide({}, dims, drawn([64, 20, 70], [2, 1]), "rows").name(21),
    ],
    [1280, "1 · 1"],
  );
  assert.deepEqual(
    [drawnSide({}, dims, drawn([4, 2, 3]), "rows").count, drawnSide({}, dims, drawn([4, 2, 3]), "cols").count],
    [4, 6],
  );
});

test("labels stand for places, and an axis of one cell is not told", () => {
  const side = drawnSide({ class: [".", "a", "b"] }, ["example", "class"], drawn([1, 3]), "cols");
  assert.deepEqual([0, 1, 2].map(side.name), [".", "a", "b"]);
  assert.deepEqual(
    [drawnSide({}, ["example", "class"], drawn([1, 3]), "rows").count, drawnSide({}, [], drawn([]), "cols").title],
    [1, ""],
  );
});

test("a block is as large wherever it is told", () => {
  assert.equal(blockText(300, 400, { rows: 147, cols: 147 }), "2–3 × 2–3");
  assert.equal(blockText(784, 128, { rows: 170, cols: 128 }), "4–5 × 1");
  assert.equal(blockOf(/** @type {any} */ ({ whole: [300, 400], grid: { rows: 147, cols: 147 } })), "2–3 × 2–3");
  assert.equal(blockOf(/** @type {any} */ ({ whole: [64, 20, 70], grid: { rows: 640, cols: 70 } })), "2 × 1");
});

test("below two axes side by side the blocks are named, below one axis its places", () => {
  const names = (/** @type {number[]} */ shape, /** @type {number} */ width) =>
    columnTicks({}, ["example", "letter", "dimension"], drawn(shape), width).map(({ name }) => name);
  assert.deepEqual(names([32, 3, 10], 150), ["0", "1", "2"]);
  assert.deepEqual(names([32, 4], 150), ["0", "1", "2", "3"]);
  assert.deepEqual(names([32, 4], 80), ["0", "2"]);
  const [first, , last] = columnTicks({}, [], drawn([32, 3, 10]), 150);
  assert.deepEqual([first.centre, last.centre], [25, 125]);
});
