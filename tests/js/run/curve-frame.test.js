import assert from "node:assert/strict";
import { test } from "node:test";
import { alongSteps, boxOf, frameOf, markedRates } from "../../../static/js/run/curve-frame.js";

/** @returns {any} @param {[number, number]|null} range @param {object} [more] */
const run = (range, more = {}) => ({ series: { range }, validation: [], rates: [], taken: 100, ...more });
const BOX = /** @type {NonNullable<ReturnType<typeof boxOf>>} */ (boxOf(400, 200, 1));

test("the margins grow with the letters, and a curve without room is none", () => {
  assert.deepEqual(BOX, { left: 46, right: 386, top: 22, bottom: 176 });
  assert.deepEqual(boxOf(400, 200, 2), { left: 92, right: 372, top: 44, bottom: 152 });
  assert.equal(boxOf(79, 200, 1), null);
});

test("steps go from the left to the right, losses from the bottom to the top", () => {
  const frame = frameOf(BOX, [run([0.5, 2]), run([1, 4], { taken: 300 })]);
  assert.ok(frame);
  assert.equal(frame.end, 300);
  assert.deepEqual([frame.x(0), frame.x(300)], [46, 386]);
  assert.equal(frame.x(150), (46 + 386) / 2);
  assert.ok(frame.y(4) >= 22 && frame.y(4) < frame.y(0.5) && frame.y(0.5) <= 176);
  assert.ok(Math.abs(frame.y(1) - frame.y(2) - (frame.y(2) - frame.y(4))) < 1e-9, "the axis is logarithmic");
});

test("validation losses lie on the axis too, those that a logarithm has", () => {
  const held = [0.1, 0, -1].map((loss) => ({ loss }));
  const frame = frameOf(BOX, [run([1, 2], { validation: held })]);
  assert.ok(frame && frame.y(0.1) <= 176);
});

test("before the first loss there is no frame; ten steps is the least", () => {
  assert.equal(frameOf(BOX, [run(null)]), null);
  assert.equal(frameOf(BOX, [run([1, 2], { taken: 3 })])?.end, 10);
  assert.equal(alongSteps(BOX, 10)(5), 216);
});

test("of two runs with rates of their own only the changes are marked", () => {
  const [one, other] = [
    [
      { step: 0, lr: 0.1 },
      { step: 9, lr: 0.01 },
    ],
    [
      { step: 0, lr: 0.5 },
      { step: 4, lr: 0.05 },
    ],
  ].map((rates) => run([1, 2], { rates }));
  assert.deepEqual(
    markedRates([one, other]).map(({ step }) => step),
    [9, 4],
  );
  assert.deepEqual(
    markedRates([one, one]).map(({ step }) => step),
    [0, 9],
  );
});
