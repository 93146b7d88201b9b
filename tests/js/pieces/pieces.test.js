import assert from "node:assert/strict";
import test from "node:test";
import { isPiece, nextView, offersAt, placeOf, titleOf, viewOf } from "../../../static/js/pieces/pieces.js";

const OFFERS = [
  { kind: "derivation", tensor: "logits", steps: [3, 4] },
  { kind: "derivation", tensor: "hprebn", steps: [4, 5] },
];

/** @param {number} index @param {object} [more] */
function at(index, more = {}) {
  return /** @type {any} */ ({ step: { index }, asking: false, inspecting: false, ...more });
}

test("a step has one piece of each kind", () => {
  const tensors = (/** @type {any} */ frame) => offersAt(OFFERS, frame).map(({ tensor }) => tensor);
  assert.deepEqual([2, 3, 4, 5].map(at).map(tensors), [[], ["logits"], ["logits"], ["hprebn"]]);
});

test("there is none behind a question, beside another tensor, or before the list has arrived", () => {
  assert.deepEqual(offersAt(OFFERS, at(3, { asking: true })), []);
  assert.deepEqual(offersAt(OFFERS, at(3, { inspecting: true })), []);
  assert.deepEqual(offersAt(null, at(3)), []);
});

test("a line that stands alone has nothing to collapse", () => {
  assert.deepEqual(
    OFFERS.map((offer) => titleOf(offer)),
    ["collapse", "collapse"],
  );
  assert.equal(titleOf({ kind: "derivation", tensor: "x", steps: [3] }), "derivation");
});

test("the address says which piece, and where in it", () => {
  assert.equal(viewOf("derivation", 1), "derivation.1");
  assert.deepEqual(placeOf(viewOf("derivation", 3)), { kind: "derivation", place: 3 });
  for (const strange of ["derivation.x", "derivation.0", "derivation.-4"])
    assert.deepEqual(placeOf(strange), { kind: "derivation" });
  assert.deepEqual([isPiece("derivation.2"), isPiece("jacobian"), isPiece(null)], [true, false, false]);
  assert.equal(titleOf(OFFERS[0]), "collapse");
});

test("one key leads through a step's pieces and back to its picture", () => {
  const here = [OFFERS[0], { kind: "other", tensor: "x", steps: [3] }];
  assert.deepEqual(
    [nextView(here, null), nextView(here, "derivation.2"), nextView(here, "other")],
    ["derivation", "other", null],
  );
});
