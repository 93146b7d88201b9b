import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Player } from "../../../static/js/page/player.js";
import { Predictions } from "../../../static/js/quiz/predictions.js";
import { Store, moveTo } from "../../../static/js/walk/store.js";
import { smallWalk } from "../document.js";

/** @param {(time: (milliseconds: number) => void) => void} tries in a time that passes only when told */
function inTime(tries) {
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  try {
    tries((milliseconds) => mock.timers.tick(milliseconds));
  } finally {
    mock.timers.reset();
  }
}

/** @param {number} last step @param {(step: number) => number} [wait] seconds at each step */
function playing(last, wait = () => 2) {
  const state = { step: 0, ended: 0, busy: false };
  const player = new Player({
    advance: () => (state.step += 1) < last,
    ended: () => (state.ended += 1),
    wait: () => wait(state.step),
    busy: () => state.busy,
  });
  player.start();
  return { player, state };
}

test("a step that was looked at stays for less, the next one has its whole time, and what is left is told", () => {
  inTime((time) => {
    /** @type {unknown[]} */
    const told = [];
    let step = 0;
    const acts = { advance: () => Boolean((step += 1)), ended: () => {}, wait: () => 9 };
    const player = new Player({ ...acts, passes: (left) => told.push(left) });
    player.start(2);
    time(500);
    player.hold("hand", true);
    player.hold("hand", false);
    time(1500);
    assert.equal(step, 1);
    player.stop();
    assert.deepEqual(told, [
      { left: 2000, whole: 2000, runs: true },
      { left: 1500, whole: 2000, runs: false },
      { left: 1500, whole: 2000, runs: true },
      { left: 9000, whole: 9000, runs: true },
      null,
    ]);
  });
});

test("playing shows each step for as long as it needs, until there is none left", () => {
  inTime((time) => {
    const { player, state } = playing(3, (step) => [1, 3, 2][step]);
    time(999);
    assert.deepEqual([state.step, player.playing], [0, true]);
    time(1);
    assert.equal(state.step, 1);
    time(2999);
    assert.equal(state.step, 1);
    time(1);
    assert.equal(state.step, 2);
    time(2000);
    assert.deepEqual([state.step, state.ended, player.playing], [3, 1, false]);
    time(60_000);
    assert.deepEqual([state.step, state.ended], [3, 1]);
  });
});

test("a player that is stopped takes no further step, held or not", () => {
  inTime((time) => {
    const { player, state } = playing(9);
    player.hold("pointer", true);
    player.stop();
    player.hold("pointer", false);
    time(60_000);
    assert.deepEqual([state.step, player.playing], [0, false]);
  });
});

test("what is left of a step stands still while anything holds it", () => {
  inTime((time) => {
    const { player, state } = playing(9);
    time(1500);
    player.hold("number", true);
    player.hold("tab", true);
    time(60_000);
    player.hold("number", false);
    time(60_000);
    assert.deepEqual([state.step, player.playing], [0, true], "one of two still holds it");
    player.hold("tab", false);
    time(499);
    assert.equal(state.step, 0);
    time(1);
    assert.equal(state.step, 1);
    player.hold("tab", false);
    time(2000);
    assert.equal(state.step, 2, "what never held it changes nothing");
  });
});

test("what is started while held waits its whole time once it is free", () => {
  inTime((time) => {
    const { player, state } = playing(9);
    player.hold("number", true);
    player.start();
    time(60_000);
    player.hold("number", false);
    time(1999);
    assert.equal(state.step, 0);
    time(1);
    assert.equal(state.step, 1);
  });
});

test("no step is taken behind a dialog", () => {
  inTime((time) => {
    const { state } = playing(9);
    state.busy = true;
    time(60_000);
    assert.equal(state.step, 0);
    state.busy = false;
    time(500);
    assert.equal(state.step, 1);
  });
});

test("a step on drops what was picked by hand, staying keeps it", () => {
  const state = /** @type {any} */ ({ step: 3, node: null, cell: [1, 2], of: "value", view: "equation", trail: [{}] });
  assert.deepEqual(moveTo(state, 4), {
    step: 4,
    sheet: null,
    node: null,
    cell: null,
    of: null,
    tensor: null,
    path: null,
    trail: [],
    reach: null,
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
