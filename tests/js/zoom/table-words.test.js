import assert from "node:assert/strict";
import { test } from "node:test";
import { numbersAt, numbersOf, questionOf, sidesOf, subjectName } from "../../../static/js/zoom/table-words.js";
import { frameOf } from "../../../static/js/walk/frame.js";
import { Predictions } from "../../../static/js/quiz/predictions.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";
import { calm } from "../state.js";

const walk = new Walk(smallWalk());
/** @param {number} step */
const at = (step) => frameOf(walk, { ...calm, step }, new Predictions());

test("a gradient is asked for as a whole once every path has come, and as so far before", () => {
  assert.deepEqual(questionOf(at(6), "manual"), { tensor: "x", which: "manual" });
  assert.deepEqual(questionOf(at(4), "manual"), { tensor: "w", which: "accumulated", step: 4 });
  assert.deepEqual(questionOf(at(4), "autograd"), { tensor: "w", which: "autograd" });
});

test("a part of a line has no name by which the server knows it", () => {
  const frame = at(6);
  assert.equal(questionOf({ ...frame, node: { ...frame.node, inner: true } }, "value"), null);
});

test("the table of a whole tensor and that of a part of it say the same of a cell", () => {
  const frame = at(6);
  const tensor = walk.tensor(frame.node.value);
  const whole = numbersOf(tensor, sidesOf(frame, tensor));
  const part = numbersAt(frame, (row, col) => tensor.data[row * 3 + col]);
  assert.deepEqual([whole.sheet.rows, whole.sheet.cols], [2, 3]);
  assert.equal(whole.corner, "example ↓  class →");
  assert.deepEqual([whole.at(1, 2), whole.col(2)], [6, "c"]);
  for (const row of [0, 1])
    for (const col of [0, 1, 2]) {
      assert.equal(part.at(row, col), whole.at(row, col));
      assert.deepEqual([part.row(row), part.col(col)], [whole.row(row), whole.col(col)]);
    }
  assert.equal(part.corner, whole.corner);
});

test("what the numbers are is said of value and gradients", () => {
  assert.deepEqual(subjectName("W", "value"), ["W", "value"]);
  assert.deepEqual(subjectName("W", "manual"), ["dW", "written out"]);
  assert.deepEqual(subjectName("W", "difference"), ["dW", "written out minus autograd"]);
});
