import assert from "node:assert/strict";
import { test } from "node:test";
import { listings } from "../../../static/js/listing/listing.js";
import { frameOf, levelAt } from "../../../static/js/walk/frame.js";
import { Predictions } from "../../../static/js/quiz/predictions.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";

/** The small walk with one line more on the way back: a part of `y` that has no name. */
function walkWithPart() {
  const document = smallWalk();
  const model = document.steps[3];
  const part = {
    ...model,
    node: null,
    inner: "dy_inner",
    through: "y",
    code: "dy_inner = 2.0 * dy",
    line: 6,
    index: document.steps.length,
  };
  document.steps.push(part);
  document.backward_source += "\ndy_inner = 2.0 * dy";
  return new Walk(document);
}

test("a part of a line can be stepped to, and is no node of the graph", () => {
  const walk = walkWithPart();
  const last = walk.steps[walk.steps.length - 1];
  assert.equal(last.node, "y_inner");
  const node = walk.node("y_inner");
  assert.deepEqual(
    [node.shape, node.dims, node.gradient, node.group],
    [[2, 3], ["example", "class"], null, "Product of two"],
  );
  assert.ok(!walk.document.nodes.includes(node));
  assert.equal(walk.valueAt("y_inner", last.index), null);
  assert.equal(walk.gradientAt("y_inner", last.index).stage, "complete");
});

test("its badge says that there is nothing to compare with, and only once it is computed", () => {
  const walk = walkWithPart();
  const last = walk.steps.length - 1;
  assert.equal(levelAt(walk, "y_inner", last), "inner");
  assert.equal(levelAt(walk, "y_inner", last - 1), "none");
});

test("its line is listed with it, and its name is a gradient's", () => {
  const walk = walkWithPart();
  const row = listings(walk).backward[5];
  assert.deepEqual([row.step, row.node, row.shape], [walk.steps.length - 1, "y_inner", [2, 3]]);
  assert.deepEqual(row.tokens[0], { text: "dy_inner", kind: "gradient", node: "y_inner" });
});

test("a frame of it can be made", () => {
  const walk = walkWithPart();
  const state = /** @type {any} */ ({ step: 99, node: null, cell: null, predict: false });
  const frame = frameOf(walk, state, new Predictions());
  assert.equal(frame.node.name, "y_inner");
  assert.equal(frame.tug, false);
});
