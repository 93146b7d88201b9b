import assert from "node:assert/strict";
import { test } from "node:test";
import { alertsOf } from "../../../static/js/training/alerts.js";
import { Pair } from "../../../static/js/training/pair.js";
import { curvesWords, pairWords, spokenStands, standsWords, statusOf } from "../../../static/js/training/pair-words.js";
import { Run } from "../../../static/js/training/run.js";

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
  assert.equal(pairWords(pair, true, []), "");
  pair.take(1, report([0, 4], [1, 9], [2, 3.0000006]));
  assert.deepEqual([pair.steps, pair.last, pair.worst.step, pair.parted], [2, 2, 2, null]);
  assert.equal(
    pairWords(pair, true, []),
    "The losses agree to 2·10⁻⁷ relative: the largest difference of 2 steps compared, at step 2.",
  );
  pair.take(1, report([3, 2], [4, 2.2]));
  assert.equal(pair.parted, 4);
  assert.equal(
    pairWords(pair, true, []),
    "The losses agree to 10⁻⁵ relative before step 4. " +
      "Rounding makes the weights part: by step 4 the losses are up to 0.091 relative apart.",
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
  assert.equal(pairWords(pair, true, []), "The losses are equal, digit for digit, at all 3 steps compared.");
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

test("two optimisers are told apart by the mean loss on the same minibatches", () => {
  const pair = new Pair();
  const names = ["SGD", "Adam"];
  pair.take(0, report([0, 4], [1, 2]));
  pair.take(1, report([0, 3], [1, 1]));
  const words = pairWords(pair, false, names);
  assert.match(words, /^On the same minibatches, the loss with Adam is 1 lower: 1\.995 against 2\.995, /);
  assert.match(words, /means over the first 2 steps\.$/);
  for (let step = 2; step < 3000; step += 1) {
    pair.take(0, report([step, 2]));
    pair.take(1, report([step, 2.0001]));
  }
  assert.match(
    pairWords(pair, false, names),
    /^On the same minibatches, Adam and SGD have the same loss to three digits/,
  );
  for (let step = 3000; step < 6000; step += 1) {
    pair.take(0, report([step, 2]));
    pair.take(1, report([step, 2.5]));
  }
  assert.match(
    pairWords(pair, false, ["right gradients", "with the mistake"]),
    /the loss with the mistake is 0\.5 higher: 2\.500 against 2\.000, means over about the last hundred steps\.$/,
  );
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
  assert.equal(standsWords([going, going], names), "step 9 of 100 · 9 s left");
  assert.equal(standsWords([going, paused], names), "step 9 and 40 of 100 · SGD goes on");
  assert.equal(standsWords([paused, paused], names), "step 40 of 100 · both paused");
  const lost = run({}, { kind: "lost", steps_taken: 3, resumable: true });
  assert.equal(standsWords([lost, paused], names), "step 3 and 40 of 100 · SGD: its process has ended, Adam: paused");
  assert.equal(statusOf([lost, paused]), "lost");
  assert.equal(spokenStands([going, going], names), "Training.");
  assert.match(spokenStands([lost, paused], names), /^SGD: The run's process has ended after 3 steps\. Adam: Paused /);
  assert.equal(curvesWords([going, going], names), "Losses along the steps of both runs, smoothed: SGD 2, Adam 2.");
  assert.deepEqual(
    alertsOf([lost, paused], names).map(([title]) => title),
    ["SGD: The process of this run ended unexpectedly."],
  );
  assert.deepEqual(alertsOf([paused], [""]), []);
});
