import assert from "node:assert/strict";
import { test } from "node:test";
import { alertsOf } from "../../../static/js/training/alerts.js";
import { Pair } from "../../../static/js/training/pair.js";
import { curvesWords, pairWords, spokenStands, standsWords, statusOf } from "../../../static/js/training/pair-words.js";
import { Readings } from "../../../static/js/training/readings.js";
import { Run } from "../../../static/js/run/run.js";

const START = { kind: "start", steps_taken: 0, status: "running", target: 100, steps: 100, clip: null, lr: 0.1 };

/** @param {number[][]} losses by step */
const report = (...losses) => ({
  ...{ kind: "report", steps_taken: losses.at(-1)?.[0] ?? 0, losses: losses.map(([step, loss]) => [step, loss, loss]) },
});

/** @param {object} [more] @param {any[]} events */
function run(more, ...events) {
  const made = new Run();
  const told = { parameters: [], activations: [], lr: 0.1, silenced: false, smoothed: 2, speed: 10 };
  for (const event of [START, ...events]) made.take({ ...told, ...event, ...(event === START ? more : {}) });
  return made;
}

test("two runs are compared at the steps that both have told, whoever is ahead", () => {
  const pair = new Pair();
  pair.take(0, report([0, 4], [2, 3], [4, 2]));
  assert.equal(pairWords(pair, true, [], []), "");
  pair.take(1, report([0, 4], [1, 9], [2, 3.0000006]));
  assert.deepEqual([pair.steps, pair.last, pair.worst.step, pair.parted], [2, 2, 2, null]);
  assert.equal(
    pairWords(pair, true, [], []),
    "The losses agree to 2·10⁻⁷ relative: the largest difference of 2 steps compared, at step 2.",
  );
  pair.take(1, report([3, 2], [4, 2.2]));
  assert.equal(pair.parted, 4);
  assert.equal(
    pairWords(pair, true, [], []),
    "The losses agree to 10⁻⁵ relative before step 4. " +
      "Rounding makes the weights drift apart: by step 4 the losses are up to 0.091 relative apart.",
  );
});

test("what a run does again is compared once", () => {
  const pair = new Pair();
  pair.take(0, report([0, 4], [1, 3], [2, 2]));
  pair.take(1, report([0, 4], [1, 3]));
  pair.take(0, { ...START, steps_taken: 1 });
  pair.take(0, report([1, 3], [2, 2]));
  pair.take(1, report([2, 2]));
  assert.equal(pair.steps, 3);
  assert.equal(pairWords(pair, true, [], []), "The losses are equal, digit for digit, at all 3 steps compared.");
  pair.take(0, { kind: "restart", steps_taken: 0 });
  assert.deepEqual([pair.steps, pair.last], [0, -1]);
  pair.take(1, { kind: "restart", steps_taken: 0 });
  pair.take(1, report([0, 4]));
  pair.take(0, report([0, 4], [1, NaN]));
  assert.equal(pair.steps, 1);
});

test("a run far ahead waits with fewer and fewer of its losses, and is still compared", () => {
  const pair = new Pair();
  const losses = Array.from({ length: 50_000 }, (_, step) => [step, 2]);
  pair.take(0, report(...losses));
  pair.take(1, report(...losses));
  assert.ok(pair.steps > 5000 && pair.steps < 20_001, `${pair.steps}`);
  assert.ok(pair.last > 49_990);
});

/** @param {...[number, number]} told of each run its steps taken and its smoothed loss @returns {any[]} */
const readings = (...told) => told.map(([taken, smoothed]) => ({ report: { steps_taken: taken, smoothed } }));

test("two optimisers are told apart by the smoothed losses that the table shows", () => {
  const names = ["SGD", "Adam"];
  const words = (/** @type {any[]} */ read, named = names) => pairWords(new Pair(), false, named, read);
  assert.match(
    words(readings([2, 2.995], [2, 1.995])),
    /^On the same minibatches, the loss with Adam is 1 lower: 1\.995 against 2\.995, means over the first 2 steps\.$/,
  );
  assert.match(words(readings([3000, 2], [3000, 2.0001])), /both runs have the same loss to three digits/);
  assert.match(
    words(readings([6000, 2], [6000, 2.5]), ["right gradients", "with the mistake"]),
    /the loss with the mistake is 0\.5 higher: 2\.500 against 2\.000, means over about the last hundred steps\.$/,
  );
  assert.equal(words([{ report: null }, { report: null }]), "");
});

test("two runs are read at the last step of which both have told", () => {
  const [first, second] = [new Run(), new Run()];
  const read = new Readings();
  /** @param {Run} one @param {any} event */
  const tell = (one, event) => {
    one.take({ smoothed: 2, lr: 0.1, losses: [], parameters: [], ...event });
    read.take([first, second]);
  };
  const at = (/** @type {"report"|"held"|"names"|"splits"} */ part) => read.all.map((one) => one[part]?.step ?? null);
  const reported = (/** @type {number} */ step) => ({ kind: "report", step, steps_taken: step + 1 });
  const held = (/** @type {number} */ taken) => ({ kind: "validation", steps_taken: taken, loss: 2, names: ["ann"] });
  tell(first, reported(9));
  assert.deepEqual(at("report"), [null, null], "nothing of the other is told yet");
  tell(second, reported(9));
  assert.deepEqual(at("report"), [9, 9]);
  tell(first, held(10));
  tell(first, reported(30));
  assert.deepEqual(
    [at("report"), at("held"), at("names")],
    [
      [9, 9],
      [null, null],
      [null, null],
    ],
  );
  tell(second, held(10));
  tell(second, { kind: "diverged", step: 12, loss: "NaN", lr: 9, steps_taken: 12 });
  tell(first, reported(50));
  assert.deepEqual(
    [at("report"), at("held"), at("names")],
    [
      [9, 9],
      [10, 10],
      [10, 10],
    ],
    "the other goes on alone",
  );
  const splits = { kind: "splits", steps_taken: 60, losses: { validation: 2 }, names: [] };
  tell(first, splits);
  assert.deepEqual(at("splits"), [null, null]);
  for (const one of [first, second]) tell(one, { kind: "restart", steps_taken: 0 });
  assert.deepEqual(
    [at("report"), at("held")],
    [
      [null, null],
      [null, null],
    ],
  );
  read.take([first]);
  tell(first, reported(3));
  read.take([first]);
  assert.deepEqual(at("report"), [3], "one run is read where it is");
});

test("where two runs stand, in one line", () => {
  const names = ["SGD", "Adam"];
  const [going, paused] = [run({}, report([9, 2])), run({}, { kind: "status", steps_taken: 40, status: "paused" })];
  assert.equal(statusOf([]), "empty");
  assert.deepEqual(
    [
      [going, paused],
      [paused, paused],
    ].map(statusOf),
    ["running", "paused"],
  );
  assert.equal(standsWords([going, going], names), "step 9 of 100 · 18 s left", "they take turns");
  assert.equal(standsWords([going, paused], names), "step 9 of 100 · SGD is catching up");
  const over = run({}, { kind: "status", steps_taken: 4, status: "diverged" });
  assert.equal(standsWords([going, over], names), "step 9 and 4 of 100 · SGD goes on");
  assert.equal(standsWords([paused, paused], names), "step 40 of 100 · both paused");
  const lost = run({}, report([3, 2]), { kind: "lost", resumable: true });
  assert.equal(standsWords([lost, lost], names), "step 3 of 100 · their process has ended");
  assert.equal(statusOf([lost, paused]), "lost");
  assert.equal(spokenStands([going, going], names), "Training.");
  assert.match(spokenStands([lost, paused], names), /^SGD: The run's process has ended after 3 steps\. Adam: Paused /);
  assert.equal(
    curvesWords(readings([9, 2], [9, 2]), names),
    "Losses along the steps of both runs, smoothed: SGD 2, Adam 2.",
  );
  assert.deepEqual(
    alertsOf([lost, lost], names).map(([title]) => title),
    ["The process that trains this ended unexpectedly."],
  );
  assert.deepEqual(alertsOf([paused], [""]), []);
});
