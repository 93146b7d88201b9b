import assert from "node:assert/strict";
import { test } from "node:test";
import { exactWords } from "../../../static/js/walk/exact-words.js";

/** @param {number} exact @param {number} [gradients] */
const summary = (exact, gradients = 26) => /** @type {any} */ ({ exact, gradients });

test("other rounding is told by how many gradients it makes exact", () => {
  assert.equal(exactWords(summary(11), summary(26)), "Exact on the way back: 26 of 26 gradients now, 11 before.");
  assert.equal(exactWords(summary(1, 1), summary(1, 1)), "Exact on the way back: 1 of 1 gradient now, 1 before.");
});
