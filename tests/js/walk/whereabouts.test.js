import assert from "node:assert/strict";
import { test } from "node:test";
import { Walk } from "../../../static/js/walk/walk.js";
import { whereabouts } from "../../../static/js/walk/whereabouts.js";
import { smallWalk } from "../document.js";

test("a step has the number that it has everywhere, and its block is that of its line", () => {
  const walk = new Walk(smallWalk());
  assert.deepEqual(
    walk.steps.map((step) => [step.node, whereabouts(walk, step)]),
    [
      ["y", "1 / 7 · Product of two"],
      ["loss", "2 / 7"],
      ["loss", "3 / 7"],
      ["y", "4 / 7"],
      ["w", "5 / 7 · Product of two"],
      ["w", "6 / 7 · Product of two"],
      ["x", "7 / 7 · Product of two"],
    ],
  );
});
