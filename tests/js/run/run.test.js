import assert from "node:assert/strict";
import { test } from "node:test";
import { Run } from "../../../static/js/run/run.js";
import { Series } from "../../../static/js/run/series.js";
import { decadesOf, heightOf, ticksOf, stepTicks } from "../../../static/js/run/scale.js";
import {
  curveWords,
  flatWords,
  nudgedWords,
  ratioLevel,
  speedWords,
  spokenStand,
  standWords,
  timeLeft,
} from "../../../static/js/training/words.js";

const START = { kind: "start", steps_taken: 0, status: "running", target: 100, steps: 100, clip: null, lr: 0.1 };

/** @param {number} step @param {number} loss @param {object} [more] */
const report = (step, loss, more = {}) => ({
  ...{ kind: "report", steps_taken: step + 1, step, loss, smoothed: loss, losses: [[step, loss, loss]], lr: 0.1 },
  ...{ speed: 50, silenced: false, parameters: [], activations: [], ...more },
});

/** @param {any[]} events */
function told(...events) {
  const run = new Run();
  for (const event of events) run.take(event);
  return run;
}

test("events make a run: where it stands, its curve, where the rate changed", () => {
  const run = told(
    START,
    report(0, 3),
    { kind: "validation", steps_taken: 1, loss: 3.5, names: ["ann"] },
    report(9, 2, { lr: 0.11 }),
    report(19, 1, { lr: 0.01 }),
    { kind: "status", steps_taken: 20, status: "paused", target: 20 },
  );
  assert.deepEqual([run.status, run.taken, run.alive, run.over], ["paused", 20, true, false]);
  assert.deepEqual(run.rates, [
    { step: 0, lr: 0.1 },
    { step: 19, lr: 0.01 },
  ]);
  assert.deepEqual(run.series.range, [1, 3]);
  assert.equal(run.rate, 0.01);
  run.take({ ...START, kind: "settings", steps_taken: 20, lr: 0.5 });
  assert.equal(run.rate, 0.5);
  assert.deepEqual(run.validation, [{ step: 1, loss: 3.5 }]);
  assert.equal(standWords(run), "step 20 of 100 · paused");
  assert.equal(spokenStand(run), "Paused after 20 steps. Loss 1.");
  assert.equal(curveWords(run), "Loss along the steps: from 3 to 1 after 20 steps, validation loss 3.5.");
});

test("a run that goes on from its last state takes back what it does again", () => {
  const run = told(START, report(5, 3), report(30, 2), { kind: "lost", resumable: true });
  assert.deepEqual([run.status, run.taken], ["lost", 31]);
  run.take({ ...START, steps_taken: 10 });
  assert.deepEqual(
    run.series.points.map(({ step }) => step),
    [5],
  );
  run.take({ kind: "restart", steps_taken: 0 });
  assert.deepEqual([run.series.points, run.report], [[], null]);
  assert.deepEqual(run.rates, [{ step: 0, lr: 0.1 }]);
});

test("a loss that is no number is no point but an end that is told", () => {
  const run = told(START, report(3, NaN, { losses: [[3, "NaN", "NaN"]] }));
  assert.equal(run.series.points.length, 0);
  run.take({ kind: "diverged", steps_taken: 4, step: 4, loss: "NaN", lr: 9, losses: [[2, 8, 5]] });
  run.take({ kind: "status", steps_taken: 4, status: "diverged", target: 100 });
  assert.equal(run.over, true);
  assert.deepEqual([run.series.points.length, run.diverged?.step], [1, 4]);
  assert.equal(spokenStand(run), "Stopped at step 4: the loss is NaN.");
});

test("a long curve keeps its extremes and its last point, and no more than a bound of points", () => {
  const series = new Series();
  for (let step = 0; step < 20_001; step += 1) series.add(step, step === 777 ? 99 : 2 + (step % 7), 5);
  assert.ok(series.points.length <= 2000);
  assert.deepEqual(series.range, [2, 99]);
  assert.equal(series.points.at(-1)?.step, 20_000);
  series.add(20_001, 0, 5);
  assert.deepEqual(series.range, [2, 99], "a logarithm has no place for 0");
  series.add(20_002, -1, 5);
  assert.deepEqual(series.range, [-1, 99], "where a loss goes below it the axis is even");
});

test("a curve is drawn as densely where its run was slow as where it was quick", () => {
  const series = new Series();
  for (let step = 0; step < 1000; step += 1) series.add(step, 2, 2);
  for (let step = 1000; step < 4000; step += 8) series.add(step, 2, 2);
  series.add(3995, 2, 2);
  const steps = [...series.even()].map(({ step }) => step);
  assert.deepEqual(steps.slice(0, 4), [0, 8, 16, 24]);
  assert.deepEqual(steps.slice(-2), [3992, 3995]);
  assert.ok(steps.length < 510 && steps.length > 490, `${steps.length}`);
});

test("each point has its own smoothed loss", () => {
  const losses = [
    [4, 8, 8],
    [5, 4, 6],
    [6, "NaN", 6],
  ];
  const run = told(START, report(6, 4, { losses }), report(9, 2));
  assert.deepEqual(
    run.series.points.map(({ step, smoothed }) => [step, smoothed]),
    [
      [4, 8],
      [5, 6],
      [9, 2],
    ],
  );
});

test("an axis has a few round numbers, the ends in it", () => {
  const axis = decadesOf([1.9, 3.3]);
  assert.ok(heightOf(axis, 1.9) > 0 && heightOf(axis, 3.3) < 1);
  assert.deepEqual(ticksOf(axis), [2, 2.5, 3]);
  for (const range of [
    [1e-9, 1e4],
    [1e-3, 5],
    [2, 2],
    [0.5, 40],
  ]) {
    const ticks = ticksOf(decadesOf(/** @type {[number, number]} */ (range)));
    assert.ok(ticks.length >= 1 && ticks.length <= 9, `${range}: ${ticks}`);
  }
  assert.deepEqual(ticksOf(decadesOf([1, 4]), 3), [1, 2]); // where the axis is low
  const even = decadesOf([-0.5, 0.25]);
  assert.deepEqual(ticksOf(even), [-0.4, -0.2, 0, 0.2], "of a loss that goes below 0");
  assert.ok(Math.abs(heightOf(even, -0.125) - 0.5) < 1e-12);
  assert.deepEqual(stepTicks(46_000), [0, 10_000, 20_000, 30_000, 40_000]);
  assert.deepEqual(stepTicks(10), [0, 2, 4, 6, 8, 10]);
});

test("time, speed, ratios and flat units in words", () => {
  assert.equal(timeLeft(0.2), "under a second left");
  assert.equal(timeLeft(42.4), "42 s left");
  assert.equal(timeLeft(180), "3 min left");
  assert.equal(timeLeft(7200), "2 h left");
  assert.equal(timeLeft(Infinity), "");
  assert.equal(speedWords(8123), "8,120 steps a second");
  assert.equal(speedWords(0.4), "1 step a second");
  assert.deepEqual([1e-3, 9e-3, 0.02, 9e-5, 0.2, 0, NaN].map(ratioLevel), [
    ...["good", "good", "large", "small", "alarming", "none", "none"],
  ]);
  const cell = (/** @type {boolean} */ agrees) => ({ cell: [0], numeric: 1, analytic: 1, agrees });
  assert.equal(nudgedWords({ agrees: true, cells: [cell(true), cell(true)] }), "✓ 2 agree");
  assert.equal(nudgedWords({ agrees: false, cells: [cell(true), cell(false), cell(false)] }), "✕ 2 of 3 differ");
  const layer = { name: "h", histogram: { low: 0, high: 1, counts: [] }, word: "saturated", units: [0, 1, 1], size: 3 };
  assert.equal(flatWords({ ...layer, share: 0, whole: 0 }), "none saturated");
  assert.equal(flatWords({ ...layer, share: 0.5, whole: 2 }), "50 % saturated · 2 of 3 units on every example");
});

test("the last validation loss is the whole split's, which the end tells", () => {
  const held = { kind: "validation", steps_taken: 1, loss: 3.5, names: [] };
  const losses = { train: 0.9, validation: 1.25, test: 1.3 };
  const run = told(START, held, report(99, 1), { kind: "splits", steps_taken: 100, losses, accuracies: {}, names: [] });
  assert.deepEqual([run.validation.at(-1), run.splits?.step], [{ step: 100, loss: 1.25 }, 100]);
  run.take({ kind: "splits", steps_taken: 100, losses: { ...losses, validation: null }, accuracies: {}, names: [] });
  assert.equal(run.validation.length, 2);
});
