import assert from "node:assert/strict";
import { test } from "node:test";
import { compare, drawnOf, follow } from "../../../static/js/walk/live.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk, wire } from "../document.js";

/** @param {Walk} walk @param {number} index @param {object} [over] an answer of POST /api/step */
function answer(walk, index, over = {}) {
  const { value } = walk.node("w");
  const tensors = { value, manual: wire([1, 2], [2]), autograd: wire([1, 2], [2]), difference: wire([0, 0], [2]) };
  return /** @type {any} */ ({
    index,
    loss: 1,
    contribution: wire([1, 2], [2]),
    accumulated: wire([1, 2], [2]),
    chosen: [],
    before: null,
    operands: [],
    product: null,
    nodes: { w: tensors },
    thumbnails: {},
    ...over,
  });
}

/** @param {Walk} walk */
function stepOf(walk) {
  return /** @type {number} */ (walk.backwardIndex.get("w")?.at(-1));
}

test("what a step shows follows, and a thumbnail stands for what is not shown", () => {
  const walk = new Walk(smallWalk());
  const index = stepOf(walk);
  const thumb = wire([9], [1]);
  follow(walk, answer(walk, index, { thumbnails: { y: thumb, x: null } }));
  assert.deepEqual([...(walk.gradientAt("w", index).tensor?.data ?? [])], [1, 2]);
  assert.deepEqual([...(walk.thumbnailAt("y", index)?.data ?? [])], [9]);
  assert.equal(walk.thumbnailAt("y", index - 1), null);
  assert.equal(walk.gradientAt("x", walk.steps.length - 1).stage, "none");
  follow(walk, answer(walk, index));
  assert.equal(walk.gradientAt("x", walk.steps.length - 1).stage, "complete");
});

test("a step whose line was cut has no gradient any more", () => {
  const walk = new Walk(smallWalk());
  const index = stepOf(walk);
  const cut = { contribution: null, accumulated: null };
  const nodes = { w: { value: walk.node("w").value, manual: null, autograd: null, difference: null } };
  follow(walk, answer(walk, index, { ...cut, nodes }));
  assert.deepEqual([...walk.lost], ["w"]);
  assert.equal(walk.gradientAt("w", index).tensor, null);
});

test("where it is asked for, what is drawn is the difference to before", () => {
  const walk = new Walk(smallWalk());
  const index = stepOf(walk);
  const now = answer(walk, index);
  follow(walk, now);
  const tensor = walk.gradientAt("w", index).tensor;
  assert.ok(tensor);
  assert.equal(drawnOf({ walk, delta: false }, tensor), tensor);
  assert.deepEqual([...drawnOf({ walk, delta: true }, tensor).data], [0, 0]);
  compare(walk, now, answer(walk, index, { accumulated: wire([1, -1], [2]) }));
  const drawn = drawnOf({ walk, delta: true }, tensor);
  assert.deepEqual([...drawn.data], [0, 3]);
  assert.equal(drawn.wire, tensor.wire);
  assert.equal(drawnOf({ walk, delta: true }, tensor), drawn);
});
