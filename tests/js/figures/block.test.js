import assert from "node:assert/strict";
import { test } from "node:test";
import { namedIn, numberAt, stepAt } from "../../../static/js/figures/block.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";

const walk = new Walk(smallWalk());

test("a name is a value, and with a d before it a gradient", () => {
  assert.deepEqual(namedIn(walk, "y"), { tensor: "y", of: "value", index: null });
  assert.deepEqual(namedIn(walk, "dw"), { tensor: "w", of: "gradient", index: null });
  assert.deepEqual(namedIn(walk, "y[1, -1]"), { tensor: "y", of: "value", index: [1, 2] });
  assert.deepEqual(namedIn(walk, " dw[2] "), { tensor: "w", of: "gradient", index: [2] });
  for (const text of ["nothing", "dnothing", "y + 1", "dw.sum()", "y[a]"]) assert.equal(namedIn(walk, text), null);
});

test("one number is read from the walk, anything else is not", () => {
  assert.equal(numberAt(walk, "y[1, 2]"), 12);
  assert.equal(numberAt(walk, "dw[2]"), 9);
  assert.equal(numberAt(walk, "loss"), 16);
  for (const text of ["y", "y[0]", "y[5, 5]", "y[0, 0] + 1"]) assert.equal(numberAt(walk, text), null, text);
});

test("a directive names a step: the line, the last path back, one of several, or the one through a line", () => {
  assert.equal(stepAt(walk, "forward", "loss"), 1);
  assert.equal(stepAt(walk, "backward", "w"), 5);
  assert.equal(stepAt(walk, "backward", "dw"), 5);
  assert.equal(stepAt(walk, "backward", "w.0"), 4);
  assert.equal(stepAt(walk, "backward", "w", "y"), 4);
  for (const target of ["nothing", "w.7"]) assert.equal(stepAt(walk, "backward", target), null);
  assert.equal(stepAt(walk, "forward", "x"), null);
});
