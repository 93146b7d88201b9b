import assert from "node:assert/strict";
import { test } from "node:test";
import { Tensor } from "../../static/js/model/tensor.js";
import { ropeOf, strengthWords } from "../../static/js/model/tug.js";
import { wire } from "./document.js";

test("the right class is pulled up by what the others are pushed down", () => {
  const gradient = new Tensor(wire([0.1, -0.4, 0.3, -0.05, 0.03, 0.02], [2, 3]));
  const rope = ropeOf(gradient, [1, 0], 0);
  assert.ok(Math.abs(rope.up - 0.4) < 1e-6 && Math.abs(rope.down - 0.4) < 1e-6 && rope.balanced);
  assert.deepEqual(rope.pushes.map((pull) => pull.column), [2, 0]);
  assert.ok(Math.abs(rope.strength - 0.8) < 1e-6 && Math.abs(rope.probability - 0.2) < 1e-6);
  assert.ok(ropeOf(gradient, [1, 0], 1).strength < 0.11);
});

test("a rope that does not balance is said not to", () => {
  assert.equal(ropeOf(new Tensor(wire([0.5, -0.1], [1, 2])), [1], 0).balanced, false);
});

test("strength has words that grow", () => {
  const words = [0.1, 0.5, 0.7, 0.9, 0.99].map(strengthWords);
  assert.equal(new Set(words).size, 5);
});
