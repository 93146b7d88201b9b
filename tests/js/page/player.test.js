import assert from "node:assert/strict";
import { test } from "node:test";
import { PACE, Player } from "../../../static/js/page/player.js";
import { Predictions } from "../../../static/js/quiz/predictions.js";
import { Store, moveTo } from "../../../static/js/walk/store.js";
import { smallWalk } from "../document.js";

test("playing takes a step each beat until there is none left", async () => {
  let step = 0;
  const began = performance.now();
  await new Promise((ended) => {
    const player = new Player(
      () => (step += 1) < 3,
      () => ended(assert.equal(player.playing, false)),
    );
    player.start(9);
    assert.deepEqual([step, player.playing], [0, true]);
  });
  assert.equal(step, 3);
  assert.ok(performance.now() - began >= 3 * PACE[8] * 1000 - 20);
});

test("a player that is stopped takes no further step", async () => {
  let step = 0;
  const player = new Player(
    () => (step += 1) > 0,
    () => undefined,
  );
  player.start(9);
  player.stop();
  await new Promise((later) => setTimeout(later, PACE[8] * 1000 + 50));
  assert.deepEqual([step, player.playing], [0, false]);
});

test("a higher speed is a shorter beat", () => {
  for (let i = 1; i < PACE.length; i += 1) assert.ok(PACE[i] < PACE[i - 1]);
});

test("a step on drops what was picked by hand, staying keeps it", () => {
  const state = /** @type {any} */ ({ step: 3, node: null, cell: [1, 2], of: "value", view: "equation", trail: [{}] });
  assert.deepEqual(moveTo(state, 4), {
    step: 4,
    node: null,
    cell: null,
    of: null,
    tensor: null,
    path: null,
    trail: [],
    view: null,
    enlarged: null,
  });
  assert.deepEqual(moveTo(state, 3), {});
});

test("subscribers hear the state before and after, until they leave", () => {
  const store = new Store(/** @type {any} */ ({ step: 0 }));
  /** @type {number[][]} */
  const heard = [];
  const leave = store.subscribe((state, before) => heard.push([before.step, state.step]));
  store.set({ step: 2 });
  leave();
  store.set({ step: 5 });
  assert.deepEqual(heard, [[0, 2]]);
});

test("an answer counts once, and only where there is a question", () => {
  const predictions = new Predictions();
  const steps = smallWalk().steps;
  assert.equal(predictions.choose(steps[6], 0), null);
  assert.equal(predictions.choose(steps[4], 7), null);
  assert.equal(predictions.choose(steps[4], 1), false);
  assert.equal(predictions.choose(steps[4], 0), null);
  assert.equal(predictions.score, "0 of 1 right");
});
