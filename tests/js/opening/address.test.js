import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, placeOf } from "../../../static/js/opening/address.js";

const read = (/** @type {string} */ path) => placeOf(new URL(path, "http://localhost"));

test("an address holds the moment and the word, and nothing that is usual", () => {
  for (const path of ["/opening", "/opening?moment=4", "/opening?moment=1&word=anna", "/opening?word=zo%C3%AB"])
    assert.equal(addressOf(read(path)), path);
});

test("what is no moment plays from the start", () => {
  for (const bad of ["x", "-1", "", "1e3", "100"]) assert.equal(read(`/opening?moment=${bad}`).moment, null);
  assert.equal(read("/opening?moment=0").moment, 0);
  assert.equal(read(`/opening?word=${"a".repeat(100)}`).word.length, 64);
});
