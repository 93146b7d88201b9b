import assert from "node:assert/strict";
import { test } from "node:test";
import { directionOf, isFlat, sumOf, summedAt } from "../../../static/js/figures/collapse.js";
import { Tensor } from "../../../static/js/shared/tensor.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk, wire } from "../document.js";

const six = new Tensor(wire([1, 2, 3, 4, 5, 6], [2, 3]));
const list = (/** @type {Tensor} */ { data }) => Array.from(data);

test("a sum along an axis, kept or not, and the part of it that is added by now", () => {
  assert.deepEqual([list(sumOf(six, [0], false)), sumOf(six, [0], false).shape], [[5, 7, 9], [3]]);
  assert.deepEqual(
    [list(sumOf(six, [1], true)), sumOf(six, [1], true).shape],
    [
      [6, 15],
      [2, 1],
    ],
  );
  assert.deepEqual([list(sumOf(six, [0, 1], false)), sumOf(six, [0, 1], false).shape], [[21], []]);
  assert.deepEqual(list(sumOf(six, [0], false, 0)), [0, 0, 0]);
  assert.deepEqual(list(sumOf(six, [0], false, 1)), [1, 2, 3]);
  assert.deepEqual(list(sumOf(six, [1], true, 2)), [3, 9]);
});

test("a backward step that sums tells what it sums and what comes of it", () => {
  const walk = new Walk(smallWalk());
  const summed = summedAt(walk, 4);
  assert.ok(summed);
  assert.deepEqual([summed.node, summed.code, summed.axes, list(summed.result)], ["w", "x * dy", [0], [5, 7, 9]]);
  assert.deepEqual(list(sumOf(summed.from, summed.axes, summed.keepdim)), list(summed.result));
  assert.ok(isFlat(summed));
  assert.equal(directionOf(summed.from, 0), "down");
  assert.equal(directionOf(summed.from, 1), "across");
  for (const index of [null, 0, 3]) assert.equal(summedAt(walk, index), null);
});
