import assert from "node:assert/strict";
import { test } from "node:test";
import { sameStep } from "../../../static/js/walk/same-step.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";

/** @param {(document: any) => void} [change] */
function made(change = () => undefined) {
  const document = smallWalk();
  change(document);
  return new Walk(document);
}

test("in the same walk every step is itself", () => {
  const walk = made();
  walk.steps.forEach((step, index) => assert.deepEqual(sameStep(walk, index, made()), { step: index }, step.node));
});

test("where a line is gone, the steps after it are found again", () => {
  const cut = made((document) => {
    document.steps = document.steps.filter((/** @type {any} */ step) => step.index !== 0);
    document.steps.forEach((/** @type {any} */ step, /** @type {number} */ index) => (step.index = index));
  });
  const walk = made();
  for (let index = 1; index < walk.steps.length; index += 1)
    assert.deepEqual(sameStep(walk, index, cut), { step: index - 1 });
  assert.deepEqual(sameStep(walk, 0, cut), { step: 0, node: walk.steps[0].node }, "the tensor itself stays in sight");
});

test("a number beyond the end is the last step", () => {
  const walk = made();
  assert.deepEqual(sameStep(walk, 99, made()), { step: walk.steps.length - 1 });
});
