import assert from "node:assert/strict";
import { test } from "node:test";
import { Tensor } from "../../../static/js/shared/tensor.js";
import { reachText, scaleEnds } from "../../../static/js/shared/reach.js";

/** @param {number} least @param {number} most */
function tensor(least, most) {
  return { ends: { least, most } };
}

test("numbers on both sides of zero have one size, others the side that they are on", () => {
  assert.equal(reachText(tensor(-0.25, 2)), "±\u00a02");
  assert.equal(reachText(tensor(-3, 2)), "±\u00a03");
  assert.equal(reachText(tensor(0.5, 2)), "max 2");
  assert.equal(reachText(tensor(-5.25, -1)), "min −5.25");
  assert.equal(reachText(tensor(0, 0)), "±\u00a00");
  const broken = {
    shape: "2",
    dtype: "f8",
    bdata: Buffer.from(new Float64Array([NaN, -Infinity]).buffer).toString("base64"),
  };
  assert.equal(reachText(new Tensor(broken)), "no finite number");
});

test("a scale is as long to both sides of zero, or ends there", () => {
  assert.deepEqual(scaleEnds(tensor(-0.25, 2)), [-2, 2]);
  assert.deepEqual(scaleEnds(tensor(0, 2)), [0, 2]);
  assert.deepEqual(scaleEnds(tensor(1, 2)), [0, 2]);
  assert.deepEqual(scaleEnds(tensor(-2, 0)), [-2, 0]);
});
