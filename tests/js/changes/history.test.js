import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../../../static/js/changes/history.js";

const [A, B, C] = [[], [{ tensor: "W", scale: 2 }], [{ tensor: "W", scale: 3 }]];

test("what was done is undone one by one, and done again", () => {
  const history = new History(A);
  [B, C].forEach((one) => history.note(one));
  assert.deepEqual([history.undo(), history.undo(), history.undo()], [B, A, null]);
  assert.deepEqual([history.redo(), history.redo(), history.redo()], [B, C, null]);
});

test("who does something else after an undo has nothing to do again", () => {
  const history = new History(A);
  history.note(B);
  history.undo();
  history.note(C);
  assert.equal(history.redo(), null);
  assert.deepEqual(history.undo(), A);
});

test("the same changes once more are no new ones, and of a link the last change goes first", () => {
  const history = new History([...B, ...C]);
  history.note([...B, ...C]);
  assert.deepEqual([history.undo(), history.undo(), history.undo()], [B, A, null]);
});
