import assert from "node:assert/strict";
import { test } from "node:test";
import { Tensor } from "../../static/js/model/tensor.js";
import { oddsWords, ropeOf } from "../../static/js/model/tug.js";
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

test("a probability is said beside that of a blind guess", () => {
  assert.equal(oddsWords(0.056, 27), "had 5.6 %; guessing blindly gives 3.7 %");
});
