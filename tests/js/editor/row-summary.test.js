import assert from "node:assert/strict";
import { test } from "node:test";
import { tensorRow } from "../../../static/js/editor/draft.js";
import { rowSummary } from "../../../static/js/editor/row-summary.js";

/** @param {string} values @param {Parameters<typeof tensorRow>[0]} [more] @param {string[]} [indices] */
const summary = (values, more = {}, indices = []) =>
  rowSummary(tensorRow({ name: "x", fill: "values", values, ...more }), false, new Set(indices));

test("values are told by their range, and whether they are whole where the program takes them so", () => {
  assert.equal(summary("[0.25, -1.5]"), "−1.5 to 0.25");
  assert.equal(summary("[2.5, 2.5]"), "2.5");
  assert.equal(summary("[3, 1]", { whole: "whole" }), "whole, 1 to 3");
  assert.equal(summary("[3, 1]", { whole: "decimals" }), "1 to 3");
});

test("a mask is one", () => {
  assert.equal(summary("[true, false]"), "a mask of true and false");
  assert.equal(summary("[true, true]"), "a mask, all true");
  assert.equal(summary("[false]"), "a mask, all false");
});

test("infinities and emptiness are told", () => {
  assert.equal(summary("[0, -inf]"), "−∞ to 0");
  assert.equal(summary("[[], []]"), "no cells");
});

test("without numbers it says why", () => {
  assert.equal(summary(""), "no numbers yet");
  assert.equal(rowSummary(tensorRow({ fill: "randn" }), false, new Set()), "no numbers yet");
  assert.equal(rowSummary(tensorRow({ fill: "values", values: "[1, oops" }), true, new Set()), "not readable");
});
