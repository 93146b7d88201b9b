import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../../../static/js/editor/undo-history.js";

/** @param {string} start */
function history(start) {
  return new History(start, (value) => value);
}

test("undo and redo walk through what was recorded", () => {
  const h = history("a");
  h.record("b");
  h.record("c");
  assert.ok(h.undo());
  assert.equal(h.present, "b");
  assert.ok(h.undo());
  assert.equal(h.present, "a");
  assert.ok(!h.undo());
  assert.ok(h.redo());
  assert.ok(h.redo());
  assert.equal(h.present, "c");
  assert.ok(!h.redo());
});

test("a change after an undo leaves nothing to redo", () => {
  const h = history("a");
  h.record("b");
  h.undo();
  h.record("c");
  assert.ok(!h.redo());
  h.undo();
  assert.equal(h.present, "a");
});

test("typing in one field is one step; another field or a pause begins a new one", () => {
  const h = history("");
  h.record("x", "name", 0);
  h.record("xy", "name", 500);
  h.record("xyz", "name", 1900);
  h.record("xyz 3", "shape", 2000);
  h.record("xyz 34", "shape", 9000);
  h.undo();
  assert.equal(h.present, "xyz 3");
  h.undo();
  assert.equal(h.present, "xyz");
  h.undo();
  assert.equal(h.present, "");
});

test("what was typed and taken back leaves no step", () => {
  const h = history("a");
  h.record("b");
  h.record("bc", "source", 0);
  h.record("b", "source", 100);
  h.undo();
  assert.equal(h.present, "a");
});

test("saying the same again is no change", () => {
  const h = history("a");
  h.record("b");
  h.undo();
  h.record("a");
  assert.ok(h.redo());
});

test("it does not grow for ever", () => {
  const h = history("0");
  for (let i = 1; i <= 1000; i += 1) h.record(String(i));
  let steps = 0;
  while (h.undo()) steps += 1;
  assert.equal(steps, 200);
});
