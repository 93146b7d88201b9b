import assert from "node:assert/strict";
import { test } from "node:test";
import { Walk } from "../../../static/js/walk/walk.js";
import { whereabouts } from "../../../static/js/walk/whereabouts.js";
import { smallWalk } from "../document.js";

test("a step is counted within its direction, and its block is that of its line", () => {
  const walk = new Walk(smallWalk());
  assert.deepEqual(
    walk.steps.map((step) => [step.node, whereabouts(walk, step)]),
    [
      ["y", "1 / 2 · Product of two"],
      ["loss", "2 / 2"],
      ["loss", "1 / 5"],
      ["y", "2 / 5"],
      ["w", "3 / 5 · Product of two"],
      ["w", "4 / 5 · Product of two"],
      ["x", "5 / 5 · Product of two"],
    ],
  );
});
