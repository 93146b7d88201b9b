import assert from "node:assert/strict";
import { test } from "node:test";
import {
  SCAN,
  farthest,
  lineOf,
  lowestOf,
  lowestWords,
  ratesUpTo,
  tenWords,
} from "../../../static/js/ending/downhill.js";
import { plotOf, promised, rangeOf } from "../../../static/js/changes/curve.js";

/** @param {number[]} rates @param {(rate: number) => number|"NaN"} loss */
function line(rates, loss) {
  const steps = rates.map((rate) => ({ rate, loss: loss(rate), promised: 0 }));
  return { parameters: ["W"], loss: 4, squared_gradient: 2, steps };
}

test("the line goes on until the valley lies behind it", () => {
  assert.equal(SCAN.length, 32);
  const valley = (/** @type {number} */ rate) => 4 - 2 * rate + rate * rate;
  assert.equal(farthest(line(SCAN, valley)), 3.2);
  const wide = (/** @type {number} */ rate) => (rate > 1000 ? 5 : 4 - (rate < 3 ? rate : 3 - rate / 1e6));
  assert.equal(farthest(line(SCAN, wide)), 13);
  assert.equal(farthest(line(SCAN, (rate) => (rate < 1 ? 4 - rate : "NaN"))), 1);
  assert.equal(farthest(line(SCAN, () => 5)), SCAN[0]);
});

test("a line begins where no step is made, with the slope of the gradients", () => {
  const curve = lineOf(line(ratesUpTo(3.1), (rate) => 4 - 2 * rate + rate * rate));
  assert.deepEqual(rangeOf(curve), [0, 3.1]);
  assert.equal(promised(curve, 0.5), 3);
  assert.equal(plotOf(curve, 100, 50).x(0), 0);
  assert.equal(lowestOf(line(ratesUpTo(3.1), (rate) => 4 - 2 * rate + rate * rate)).rate, 1);
});

test("where it is lowest is said, and where nothing is gained", () => {
  const down = line(ratesUpTo(3.1), (rate) => 4 - 2 * rate + rate * rate);
  assert.equal(lowestWords(down, "loss"), "The lowest along this line is about 3, near learning rate 1.");
  assert.equal(
    lowestWords(
      line(ratesUpTo(1), (rate) => 4 + rate),
      "loss",
    ),
    "No step along this line makes `loss` smaller.",
  );
  assert.equal(tenWords(2.5, "loss"), "Ten such steps, each with new gradients, lead to `loss` 2.5.");
});
