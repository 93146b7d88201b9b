import assert from "node:assert/strict";
import { test } from "node:test";
import { aligned, differingFrom, firstApart } from "../../../static/js/compare/moments.js";

/** @param {string} text */
const keyed = (text) =>
  text
    .split(" ")
    .filter(Boolean)
    .map((key, index) => ({ key, index }));

/** @param {string} left @param {string} right */
const pairs = (left, right) =>
  aligned(keyed(left), keyed(right))
    .map(([a, b]) => `${a ?? "-"}${b ?? "-"}`)
    .join(" ");

test("lines of the same name are one moment, whatever stands between", () => {
  assert.equal(pairs("a b c", "a b c"), "00 11 22");
  assert.equal(pairs("a c", "a m v c"), "00 -1 -2 13");
  assert.equal(pairs("a m c", "a c"), "00 1- 21");
});

test("of what only one side has, that of the left comes first, and nothing is lost", () => {
  assert.equal(pairs("a p q z", "a r z"), "00 1- 2- -1 32");
  assert.equal(pairs("", "a b"), "-0 -1");
  assert.equal(pairs("a a b", "a b b"), "00 1- 21 -2");
});

test("the next moment that differs, either way, and where to begin", () => {
  const moments = /** @type {any[]} */ (["same", "line", "same", "alone"].map((apart) => ({ apart })));
  assert.equal(differingFrom(moments, 1, 1), 3);
  assert.equal(differingFrom(moments, 3, 1), null);
  assert.equal(differingFrom(moments, 3, -1), 1);
  assert.equal(firstApart(moments), 1);
  assert.equal(firstApart(moments.slice(0, 1)), 0);
});
