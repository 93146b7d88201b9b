import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, askedIn, following } from "../../../../static/js/lab/find/address.js";

const read = (/** @type {string} */ query) => askedIn(new URL(`http://localhost/lab/find${query}`));

test("the address holds the network and the seed, and a seed alone is of the first network", () => {
  assert.deepEqual(read("?seed=7"), { network: "makemore", seed: 7 });
  assert.deepEqual(read("?network=block&seed=12"), { network: "block", seed: 12 });
  assert.deepEqual(read(""), { network: "makemore", seed: null });
  for (const seed of ["-1", "1e3", "x", "12345678901"]) assert.equal(read(`?seed=${seed}`).seed, null);
  assert.equal(read("?network=<b>&seed=1").network, "makemore");
});

test("the next seed is of the same network", () => {
  assert.equal(addressOf(following({ network: "block", seed: 12 })), "/lab/find?network=block&seed=13");
  assert.equal(addressOf({ network: "block", seed: null }), "/lab/find");
  assert.equal(following({ network: "block", seed: 999_999 }).seed, 0);
});
