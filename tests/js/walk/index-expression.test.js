import assert from "node:assert/strict";
import { test } from "node:test";
import { parseIndex } from "../../../static/js/walk/index-expression.js";

const letters = new Map([
  ["i", 7],
  ["j", 23],
  ["k1", 2],
]);
/** @param {string} name @param {number[]} index */
const cell = (name, index) => (name === "Xb" ? index[0] * 100 + index[1] : name === "n" && !index.length ? 5 : null);

/** @param {string} text */
function valueOf(text) {
  return parseIndex(text, (name) => letters.has(name)).value({ letters, cell });
}

test("indices are worked out as Python does", () => {
  assert.equal(valueOf("i"), 7);
  assert.equal(valueOf("j // 10"), 2);
  assert.equal(valueOf("j % 10"), 3);
  assert.equal(valueOf("-i // 2"), -4, "the floor, not towards zero");
  assert.equal(valueOf("-i % 5"), 3, "as the divisor's sign");
  assert.equal(valueOf("10 * i + k1"), 72);
  assert.equal(valueOf("2 * (i - 3) + 1"), 9);
  assert.equal(valueOf("10 - 3 - 2"), 5);
  assert.equal(valueOf("n - 1"), 4);
});

test("cells of tensors, with an index of their own", () => {
  assert.equal(valueOf("Xb[i, j // 10]"), 702);
  assert.equal(valueOf("Xb[i + 1, k1]"), 802);
  assert.equal(valueOf("Zb[i, j]"), null, "a tensor that is not there");
  assert.equal(valueOf("Zb[i, j] + 1"), null);
});

test("conditions are 1 or 0", () => {
  assert.equal(valueOf("j == 23"), 1);
  assert.equal(valueOf("j == 23 and i < 7"), 0);
  assert.equal(valueOf("not (j == 23 and i < 7)"), 1);
  assert.equal(valueOf("not j >= 24"), 1);
  assert.equal(valueOf("Xb[i, k1] == 702"), 1);
  assert.equal(valueOf("not (Zb[i, j] == 0)"), null);
});

test("what is no expression is refused", () => {
  for (const text of ["", "i +", "f(x)", "i j", "Xb[i"]) assert.throws(() => parseIndex(text, () => true), text);
});
