import assert from "node:assert/strict";
import { test } from "node:test";
import { marked } from "../../../static/js/practice/marks.js";

const where = (/** @type {number} */ line, /** @type {number} */ column, /** @type {number} */ end_column) => ({
  line,
  column,
  end_column,
  text: "",
});
const told = (/** @type {string} */ text, /** @type {any} */ at) =>
  marked(text, at).map((pieces) => pieces.map(({ text, marked }) => (marked ? `[${text}]` : text)).join(""));

test("the characters of the diagnosis are marked, and only on their line", () => {
  assert.deepEqual(told("a = b\nda = c * d", where(2, 6, 11)), ["a = b", "da = [c * d]"]);
  assert.deepEqual(told("a = b", null), ["a = b"]);
});

test("columns count characters, not halves of them", () => {
  assert.deepEqual(told("𝛼𝛽 = x", where(1, 6, 7)), ["𝛼𝛽 = [x]"]);
});

test("a place behind the last character marks that one", () => {
  assert.deepEqual(told("da = (x", where(1, 8, 9)), ["da = ([x]"]);
  assert.deepEqual(told("da = x", where(1, 6, 40)), ["da = [x]"]);
});
