import assert from "node:assert/strict";
import { test } from "node:test";
import { changedLines } from "../../../static/js/editor/difference-view.js";
import { withFixes } from "../../../static/js/editor/fixes.js";

/** @param {number[]} place line, column, end line, end column @param {string} text */
const fault = ([line, column, end_line, end_column], text) =>
  /** @type {any} */ ({ problem: { fix: { edits: [{ line, column, end_line, end_column, text }] } } });

test("edits of several faults are made at once, whatever their order", () => {
  const faults = [fault([2, 5, 2, 10], "torch.tanh"), fault([1, 1, 1, 2], "h")];
  assert.equal(withFixes("g = 1\nz = tahn_(x)", faults), "h = 1\nz = torch.tanh(x)");
});

test("a line goes whole, with its end", () => {
  assert.equal(withFixes("a = 1\nprint(a)\nb = 2", [fault([2, 1, 3, 1], "")]), "a = 1\nb = 2");
  assert.equal(withFixes("a = 1\nprint(a)", [fault([2, 1, 3, 1], "")]), "a = 1\n");
});

test("columns count characters, not halves of them", () => {
  assert.equal(withFixes("# 😀 x", [fault([1, 5, 1, 6], "y")]), "# 😀 y");
});

test("of two edits that meet the first is made", () => {
  const faults = [fault([1, 1, 1, 4], "one"), fault([1, 3, 1, 6], "two")];
  assert.equal(withFixes("abcdef", faults), "onedef");
});

test("without fixes nothing changes", () => {
  assert.equal(withFixes("a = 1", [/** @type {any} */ ({ problem: {} })]), "a = 1");
});

test("a difference names the lines that went and came, in their order", () => {
  const found = changedLines(["a", "b", "c"], ["a", "x", "c", "d"]);
  assert.deepEqual(
    found.map(({ sign, text }) => sign + text),
    ["−b", "+x", "+d"],
  );
  assert.deepEqual(changedLines(["a"], ["a"]), []);
});
