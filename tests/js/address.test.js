import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, placeOf } from "../../static/js/model/url.js";

/** @param {string} text */
const read = (text) => placeOf(new URL(text, "http://here"), "usual");

test("an address and the place it names are the same thing", () => {
  const place = { lesson: "makemore-mlp", seed: 7, step: 24, node: "W1", cell: [3, 0], exact: true, predict: true, view: "equation" };
  assert.equal(addressOf(place), "/walk/makemore-mlp?seed=7&step=25&node=W1&exact=1&predict=1&view=equation&cell=3,0");
  assert.deepEqual(read(addressOf(place)), place);
});

test("what is usual is left out", () => {
  assert.equal(addressOf(read("/")), "/walk/usual");
});

test("nonsense in an address does no harm", () => {
  const place = read("/walk/a%20b?step=minus&seed=1e9&cell=1,x&exact=yes");
  assert.deepEqual(place, { lesson: "a b", seed: null, step: 0, node: null, cell: null, exact: false, predict: false, view: null });
  assert.equal(read("/walk/x?step=-4").step, 0);
  assert.equal(read("/walk/x?seed=-5").seed, -5);
});
