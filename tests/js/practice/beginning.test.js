import { test } from "node:test";
import assert from "node:assert/strict";
import { doubled } from "../../../static/js/practice/beginning.js";

/** @param {string} text @param {string} [beginning] */
const kept = (text, beginning = "dx = ") => text.slice(doubled(text, beginning));

test("a second beginning takes the place of the first", () => {
  assert.equal(kept("dx = dx = dh @ W.T"), "dx = dh @ W.T");
  assert.equal(kept("dx = dx += dh @ W.T"), "dx += dh @ W.T");
  assert.equal(kept("dx += dx += dh", "dx += "), "dx += dh");
  assert.equal(kept("dx += dx = dh", "dx += "), "dx = dh");
  assert.equal(kept("dx =     dx=dh\ndx += dg"), "dx=dh\ndx += dg");
  assert.equal(kept("dx = dx = "), "dx = ");
});

test("one beginning, a comparison and another name stay", () => {
  for (const text of ["dx = dh", "dx = dx", "dx = dx =", "dx = dx == dh", "dx = dx2 = dh", "dx = dx + dh\ndx = 1", ""])
    assert.equal(kept(text), text);
  assert.equal(kept("dx = dx = dh", ""), "dx = dx = dh");
});
