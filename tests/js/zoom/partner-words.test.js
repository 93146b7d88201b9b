import assert from "node:assert/strict";
import { test } from "node:test";
import { indexOf } from "../../../static/js/zoom/partner-words.js";

test("cells that belong to another are said as the code would index them", () => {
  assert.equal(indexOf([3, 4], new Set([6])), "[1, 2]");
  assert.equal(indexOf([3, 4], new Set([2, 6, 10])), "[:, 2]");
  assert.equal(indexOf([3, 4], new Set([4, 5, 6, 7])), "[1, :]");
  assert.equal(indexOf([3, 4], new Set([4, 6])), "[1, 2 of 4]");
  assert.equal(indexOf([], new Set([0])), "");
});
