import assert from "node:assert/strict";
import { test } from "node:test";
import { beside, boxOfCell, cellUnder } from "../../../static/js/lens/drawn-cells.js";
import { Tensor } from "../../../static/js/shared/tensor.js";
import { wire } from "../document.js";

const tensor = new Tensor(wire([0, 1, 2, 3, 4, 5], [2, 3]));
const box = { left: 100, top: 50, width: 90, height: 20 };
/** A row that is copied to four. */
const copied = { tensor: new Tensor(wire([1, 2, 3], [3])), stretch: [4, 3] };

test("every cell is found again in the middle of where it is drawn", () => {
  for (let flat = 0; flat < 6; flat += 1) {
    const { left, top, width, height } = boxOfCell({ tensor, stretch: null }, box, flat);
    const cell = cellUnder({ tensor, stretch: null }, box, { x: left + width / 2, y: top + height / 2 });
    assert.equal(tensor.flatOf(cell), flat);
  }
});

test("what lies beside the picture is the nearest cell of its rim", () => {
  assert.deepEqual(cellUnder({ tensor, stretch: null }, box, { x: 0, y: 999 }), [1, 0]);
  assert.deepEqual(cellUnder({ tensor, stretch: null }, box, { x: 999, y: 0 }), [0, 2]);
});

test("a copy of a cell is that cell, and its frame is that of the first copy", () => {
  for (const y of [51, 56, 61, 66]) assert.deepEqual(cellUnder(copied, box, { x: 145, y }), [1]);
  assert.deepEqual(boxOfCell(copied, box, 1), { left: 130, top: 50, width: 30, height: 5 });
});

test("a sheet that is copied beside itself begins again", () => {
  const beside = { tensor, stretch: [2, 2, 3] };
  const columns = [0, 1, 2, 3, 4, 5].map((col) => cellUnder(beside, box, { x: 100 + 15 * (col + 0.5), y: 65 }));
  assert.deepEqual(
    columns,
    [0, 1, 2, 0, 1, 2].map((col) => [1, col]),
  );
});

test("arrow keys begin at the first cell and stay in the picture", () => {
  assert.deepEqual(beside(tensor, null, [0, 1]), [0, 0]);
  assert.deepEqual(beside(tensor, [0, 0], [1, 0]), [1, 0]);
  assert.deepEqual(beside(tensor, [1, 0], [1, 0]), [1, 0]);
  assert.deepEqual(beside(tensor, [1, 0], [0, -1]), [1, 0]);
  assert.deepEqual(beside(tensor, [1, 1], [0, 1]), [1, 2]);
});
