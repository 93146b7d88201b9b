import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, stepAddress, subjectOf } from "../../../static/js/exercise/address.js";

const at = (/** @type {string} */ path) => subjectOf(new URL(path, "http://x"), "first");

test("a lesson with its seed, or the program of the fragment", () => {
  assert.deepEqual(at("/practise"), { lesson: "first", seed: null, hash: "", at: null });
  assert.deepEqual(at("/practise/mlp?seed=7&at=dprobs"), { lesson: "mlp", seed: 7, hash: "", at: "dprobs" });
  assert.equal(at("/practise#p=abc").hash, "#p=abc");
  assert.equal(at("/practise/mlp?seed=oops").seed, null);
});

test("an address leads back to what it was made of", () => {
  for (const path of ["/practise/mlp", "/practise/mlp?seed=7&at=dprobs", "/practise?at=dh#p=abc"])
    assert.equal(addressOf(at(path)), path);
});

test("a step of the walk, as a field while it is not written", () => {
  assert.equal(stepAddress(at("/practise/mlp?seed=7"), 4, true), "/walk/mlp?seed=7&step=5&write=1");
  assert.equal(stepAddress(at("/practise#p=abc"), 4, false), "/code?step=5#p=abc");
});
