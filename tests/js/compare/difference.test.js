import assert from "node:assert/strict";
import { test } from "node:test";
import { differenceOf } from "../../../static/js/compare/difference.js";
import { Tensor } from "../../../static/js/shared/tensor.js";
import { wire } from "../document.js";

const tensor = (/** @type {number[]} */ numbers, /** @type {number[]} */ shape) => new Tensor(wire(numbers, shape));

test("what differs is the right one less the left one, cell by cell, on a scale of its own", () => {
  const apart = differenceOf(tensor([1, 2, 3, 4], [2, 2]), tensor([1, 2.5, 3, 2], [2, 2]));
  assert.deepEqual([...(apart?.data ?? [])], [0, 0.5, 0, -2]);
  assert.deepEqual([apart?.grid, apart?.stats.maxAbs], [{ rows: 2, cols: 2, block: 0 }, 2]);
});

test("there is none of single numbers, of other shapes, of names, and where one is missing", () => {
  const named = tensor([1, 2], [2]);
  named.codes = /** @type {any} */ ({});
  for (const [left, right] of [
    [tensor([1], []), tensor([2], [])],
    [tensor([1, 2], [2]), tensor([1, 2], [1, 2])],
    [named, tensor([1, 2], [2])],
    [null, tensor([1, 2], [2])],
  ])
    assert.equal(differenceOf(left, right), null);
});
