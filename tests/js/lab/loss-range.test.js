import assert from "node:assert/strict";
import { test } from "node:test";
import { lossRange } from "../../../static/js/lab/loss-range.js";

/** @param {number[][]} losses */
const range = (...losses) => lossRange(losses.map((one) => ({ losses: one })));

test("a curve that climbs a little is drawn whole", () => {
  assert.deepEqual(range([0.35, 0.1], [-0.2, -3.4], [0.35, 0.95]), { least: -3.4, most: 0.95 });
});

test("one that climbs far flattens no other", () => {
  assert.deepEqual(range([2, 1], [2, 50, 1e9]), { least: 0, most: 2 });
  assert.deepEqual(range([2, 1], [2, NaN, Infinity]), { least: 0, most: 2 });
  assert.deepEqual(range([2, 1], [NaN, NaN]), { least: 0, most: 2 });
});
