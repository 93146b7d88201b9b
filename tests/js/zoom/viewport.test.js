import assert from "node:assert/strict";
import { test } from "node:test";
import { boxIn, onSheet, placeAt } from "../../../static/js/zoom/viewport.js";

const view = { row: 100, col: 40, rows: 10, cols: 20 };
const size = { width: 400, height: 100 };

test("every cell of a view is found in the middle of where it is drawn", () => {
  for (let row = 100; row < 110; row += 1)
    for (let col = 40; col < 60; col += 1) {
      const box = boxIn(view, { row, col }, size);
      assert.ok(box);
      const at = { x: (box.left + box.width / 2) / size.width, y: (box.top + box.height / 2) / size.height };
      assert.deepEqual(placeAt(view, at), { row, col });
    }
});

test("a cell of which nothing is in view has no place", () => {
  assert.equal(boxIn(view, { row: 98, col: 45 }, size), null);
  assert.equal(boxIn(view, { row: 111, col: 45 }, size), null);
  assert.equal(boxIn(view, { row: 105, col: 61 }, size), null);
  assert.deepEqual(boxIn(view, { row: 99, col: 40 }, size), { left: 0, top: -10, width: 20, height: 10 });
});

test("a number that is asked for beyond the rims is the nearest cell", () => {
  const sheet = { rows: 5, cols: 7 };
  assert.deepEqual(onSheet(sheet, { row: -3, col: 99 }), { row: 0, col: 6 });
  assert.deepEqual(onSheet(sheet, { row: 4, col: 6 }), { row: 4, col: 6 });
});
