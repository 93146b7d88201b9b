import assert from "node:assert/strict";
import { test } from "node:test";
import { beginningOf, isWritable, scopeAt } from "../../../static/js/practice/contribution.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";

/** @type {any} */
const sent = smallWalk();
for (const step of sent.steps) if (step.direction === "backward") step.inner = null;
const walk = new Walk(sent);
const step = (/** @type {number} */ index) => /** @type {any} */ (walk.steps[index]);

test("a line of a second path adds to what the first brought", () => {
  assert.equal(beginningOf(step(4), "w"), "dw = ");
  assert.equal(beginningOf(step(5), "w"), "dw += ");
});

test("the loss's own gradient and forward lines are not written", () => {
  const writable = walk.steps.filter((one) => isWritable(walk, one)).map(({ index }) => index);
  assert.deepEqual(writable, [3, 4, 5, 6]);
});

test("a line may use values, and the gradients made before it, the latest first", () => {
  const names = scopeAt(walk, 4).map(({ name }) => name);
  assert.deepEqual(names.slice(0, 2), ["dloss", "dy"]);
  assert.ok(names.includes("x") && !names.includes("dw"));
  assert.ok(scopeAt(walk, 5).some(({ name }) => name === "dw"));
});
