import assert from "node:assert/strict";
import { test } from "node:test";
import {
  UNREAD,
  doneCount,
  isBegun,
  isFinished,
  progressWords,
  readUpTo,
  restored,
  withDeed,
} from "../../../static/js/course/progress.js";

const right = { outcome: /** @type {const} */ ("right"), tries: ["a"], given: "b" };
const open = { outcome: /** @type {const} */ (""), tries: ["a"], given: "a" };

test("what was kept comes back as it was", () => {
  const progress = readUpTo(withDeed(UNREAD, "predict-w", right), 3, 12, "predict-w");
  assert.deepEqual(restored(JSON.stringify(progress)), progress);
});

test("what cannot be read is a fresh start, and a deed that is none is left out", () => {
  for (const text of [null, "", "nonsense", "[]", "{}", '{"deeds":null,"read":1}'])
    assert.deepEqual(restored(text), UNREAD);
  const odd = JSON.stringify({ deeds: { a: { outcome: "odd", tries: [], given: "" }, b: right }, read: 2 });
  assert.deepEqual(restored(odd), { deeds: { b: right }, read: 2, parts: 0, at: "" });
});

test("what was read once stays read, and the place is the latest", () => {
  const far = readUpTo(UNREAD, 9, 12, "far");
  assert.deepEqual(readUpTo(far, 2, 12, "near"), { deeds: {}, read: 9, parts: 12, at: "near" });
});

test("how far one is, in words", () => {
  assert.equal(progressWords(UNREAD, 3), "");
  assert.ok(!isBegun(readUpTo(UNREAD, 1, 12, "")));
  const half = withDeed(withDeed(readUpTo(UNREAD, 6, 12, "x"), "a", right), "b", open);
  assert.equal(doneCount(half), 1);
  assert.equal(progressWords(half, 3), "50 % read · 1 of 3 questions");
  assert.equal(progressWords(readUpTo(UNREAD, 6, 12, "x"), 0), "50 % read");
  const whole = readUpTo(half, 12, 12, "end");
  assert.ok(!isFinished(whole, 3));
  assert.equal(progressWords(whole, 1), "done");
});
