import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, askedIn } from "../../../static/js/drills/address.js";

const asked = (/** @type {string} */ query) => askedIn(new URL(`http://here/practise/drills${query}`));

test("an address brings back what was asked for", () => {
  for (const one of [
    { seed: 7, groups: [], most: 10 },
    { seed: 0, groups: ["reductions", "softmax"], most: 20 },
    { seed: null, groups: ["paths"], most: 40 },
  ])
    assert.deepEqual(askedIn(new URL(addressOf(one), "http://here")), one);
});

test("what is no seed, no group and no size is left out", () => {
  assert.deepEqual(asked("?seed=-1&groups=a;b,,SUM&most=11"), { seed: null, groups: [], most: 10 });
  assert.deepEqual(asked("?seed=12345678901"), { seed: null, groups: [], most: 10 });
  assert.equal(addressOf({ seed: 7, groups: [], most: 10 }), "/practise/drills?seed=7");
});
