import assert from "node:assert/strict";
import { test } from "node:test";
import { named } from "../../../static/js/page/movements.js";

const RUNS = [
  { name: "Embedding", start: 0, end: 2 },
  { name: "Linear layer", start: 2, end: 3 },
  { name: "BatchNorm", start: 3, end: 10 },
  { name: "Softmax and cross-entropy", start: 10, end: 15 },
  { name: "Softmax and cross-entropy", start: 15, end: 22 },
];

/** @param {number} pitch letters that have room below a step */
function texts(pitch) {
  return named(RUNS, 15, (text) => text.length / pitch).map(({ text }) => text);
}

test("a name below the score is whole, or the word it begins with, and never cut", () => {
  assert.deepEqual(texts(2), ["", "", "BatchNorm", "Softmax", "Softmax"]);
  assert.deepEqual(texts(4), ["Embedding", "", "BatchNorm", "Softmax", "Softmax and cross-entropy"]);
  assert.deepEqual(texts(12), [
    "Embedding",
    "Linear layer",
    "BatchNorm",
    ...Array(2).fill("Softmax and cross-entropy"),
  ]);
});

test("a name that stands below a neighbour ends before the next one, and in its own half", () => {
  for (const pitch of [1, 2, 3, 4, 5, 8]) {
    const made = named(RUNS, 15, (text) => text.length / pitch).filter(({ text }) => text);
    for (const [i, { text, start, until }] of made.entries()) {
      assert.ok(start + text.length / pitch <= until + 1e-9, `${text} at ${pitch}`);
      assert.ok(until <= (made[i + 1]?.start ?? 22), `${text} at ${pitch}`);
      assert.ok(start >= 15 || until <= 15);
    }
  }
});
