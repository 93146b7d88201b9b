import assert from "node:assert/strict";
import { test } from "node:test";
import { exactWords } from "../../../static/js/walk/exact-words.js";

/** @param {number} exact */
const summary = (exact) => /** @type {any} */ ({ exact, gradients: 26 });

test("other rounding is told by how many gradients it makes exact", () => {
  assert.equal(exactWords(summary(11), summary(26)), "Exact gradients, on the way back: 26 of 26, before 11.");
});
