import assert from "node:assert/strict";
import { test } from "node:test";
import { lastStepOf, printedLines, usesOf } from "../../../static/js/exercise/uses.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";

const walk = new Walk(smallWalk());

test("a tensor's gradient comes from the lines that read it", () => {
  assert.deepEqual(
    usesOf(walk, "w").map(({ line }) => line),
    [1],
  );
  assert.equal(printedLines(walk, "w"), "dw = (x * dy).sum(0)\ndw += 0.0 * w");
  assert.equal(lastStepOf(walk, "w"), 5);
  assert.equal(lastStepOf(walk, "nothing"), null);
});
