import assert from "node:assert/strict";
import { test } from "node:test";
import { Writings } from "../../../static/js/practice/writings.js";
import { frameOf } from "../../../static/js/walk/frame.js";
import { announcement } from "../../../static/js/walk/announcement.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { Predictions } from "../../../static/js/quiz/predictions.js";
import { smallWalk } from "../document.js";
import { calm } from "../state.js";

/** @type {any} */
const sent = smallWalk();
for (const step of sent.steps) if (step.direction === "backward") step.inner = null;
const walk = new Walk(sent);

/** @param {boolean} correct @returns {any} */
const reply = (correct) => ({ correct, verdict: null, diagnosis: correct ? null : { code: "sign" }, hints: [] });

/** @param {Writings} writings @param {object} state */
function frame(writings, state) {
  return frameOf(walk, { ...calm, writeIt: true, ...state }, new Predictions(), writings);
}

test("a step stays hidden until its line is right or was shown", () => {
  const writings = new Writings();
  const step = walk.steps[3];
  const before = frame(writings, { step: 3 });
  assert.deepEqual([before.writing, before.asking, before.known], [true, true, 2]);
  writings.answer(step, "dy = 0", reply(false));
  assert.ok(frame(writings, { step: 3 }).writing);
  writings.answer(step, "dy = 1", reply(true));
  const after = frame(writings, { step: 3 });
  assert.deepEqual([after.writing, after.known], [false, 3]);
  assert.ok(frame(writings, { step: 4 }).writing);
  writings.show(walk.steps[4]);
  assert.ok(!frame(writings, { step: 4 }).writing);
  assert.equal(writings.score, "1 of 2 right");
});

test("nothing is hidden at a forward step, at the loss's own gradient, nor with the switch off", () => {
  const writings = new Writings();
  for (const state of [{ step: 1 }, { step: 2 }, { step: 3, writeIt: false }])
    assert.ok(!frame(writings, state).asking, JSON.stringify(state));
});

test("a question comes before the line that it is about", () => {
  const at = frame(new Writings(), { step: 4, predict: true });
  assert.deepEqual([at.asking, at.writing], [true, false]);
});

test("what was typed stays when its step is left; typing takes back what was said of it", () => {
  const writings = new Writings();
  const step = walk.steps[3];
  writings.type(step, "dy = 0");
  writings.answer(step, "dy = 0", reply(false));
  assert.notEqual(writings.replyTo(step), null);
  writings.type(step, "dy = 2");
  assert.equal(writings.at(step).text, "dy = 2");
  assert.equal(writings.replyTo(step), null);
  writings.answer(step, "dy = 0", reply(false));
  assert.equal(writings.replyTo(step), null, "an answer to another text");
});

test("what is to be written is said in one sentence", () => {
  const words = announcement(frame(new Writings(), { step: 3 }));
  assert.equal(words, "Backward, step 4 of 7: write the gradient of y, 2 by 3.");
});
