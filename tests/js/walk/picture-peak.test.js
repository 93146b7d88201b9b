import assert from "node:assert/strict";
import { test } from "node:test";
import { slot } from "../../../static/js/shared/colour-scale.js";
import { enlargement, isRounding, peakOf, scaleOf } from "../../../static/js/walk/picture-peak.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk, wire } from "../document.js";

/** A walk in which the gradient of w is truly zero, with rounding left over. */
function walkWithZero() {
  const document = smallWalk();
  const { gradient } = document.nodes[1];
  Object.assign(gradient, { scale: 0.02, manual: wire([6e-9, -3e-9, 0], [3]) });
  Object.assign(gradient.verdict, { level: "zero", kind: "residue", residue: Math.fround(6e-9), residue64: 1e-17 });
  return new Walk(document);
}

test("a true zero is drawn on the scale of what arrives, which leaves it blank", () => {
  const walk = walkWithZero();
  const tensor = walk.tensor(/** @type {any} */ (walk.node("w").gradient).manual);
  for (const of of /** @type {const} */ (["gradient", "contribution"])) {
    const peak = peakOf(walk, { tensor: "w", of }, tensor);
    assert.equal(peak, 0.02);
    assert.deepEqual(
      [...tensor.data].map((value) => slot(value, peak)),
      [255, 255, 255],
    );
  }
});

test("on demand its rounding is enlarged, by a factor that is computed", () => {
  const walk = walkWithZero();
  const tensor = walk.tensor(/** @type {any} */ (walk.node("w").gradient).manual);
  assert.equal(peakOf(walk, { tensor: "w", of: "gradient" }, tensor, "w"), tensor.stats.maxAbs);
  assert.equal(peakOf(walk, { tensor: "w", of: "gradient" }, tensor, "y"), 0.02);
  assert.equal(enlargement(walk, "w"), 7);
  assert.equal(enlargement(walk, "y"), null);
});

test("any other tensor, a value among them, is drawn on its own scale", () => {
  const walk = walkWithZero();
  const value = walk.tensor(walk.node("w").value);
  assert.equal(peakOf(walk, { tensor: "w", of: "value" }, value), 2);
  assert.equal(peakOf(walk, { tensor: "y", of: "gradient" }, value), 2);
  assert.equal(peakOf(walk, null, value), 2);
  assert.equal(scaleOf(walk, "y"), 0);
});

test("only what rounding left of a true zero is called rounding", () => {
  const walk = walkWithZero();
  const node = walk.node("w");
  const tensor = walk.tensor(/** @type {any} */ (node.gradient).manual);
  assert.equal(isRounding(walk, { tensor: "w", of: "gradient" }, tensor), true);
  assert.equal(isRounding(walk, { tensor: "w", of: "contribution" }, walk.tensor(wire([0.01], [1]))), false);
  assert.equal(isRounding(walk, { tensor: "w", of: "value" }, walk.tensor(node.value)), false);
  assert.equal(isRounding(walk, { tensor: "y", of: "gradient" }, tensor), false);
  assert.equal(isRounding(walk, null, tensor), false);
});
