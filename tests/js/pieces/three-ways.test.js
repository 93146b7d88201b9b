import assert from "node:assert/strict";
import test from "node:test";
import { busiest, landing, rowWords } from "../../../static/js/pieces/three-ways.js";

const MADE = /** @type {any} */ ({ variable: "dC", upstream: "demb", labels: ["a", "b", "c"], places: [2, 0, 2, 2] });

test("rows land where they were picked from", () => {
  assert.deepEqual(
    [0, 1, 2].map((row) => landing(MADE.places, row)),
    [[1], [], [0, 2, 3]],
  );
  assert.equal(busiest(MADE.places), 2);
  assert.equal(busiest([3, 1, 3, 1]), 1);
});

test("what becomes of a row is said with its count", () => {
  assert.equal(rowWords(MADE, 2), "Row 2, “c”, of `dC` is the sum of 3 rows of `demb`.");
  assert.equal(rowWords(MADE, 0), "Row 0, “a”, of `dC` is one row of `demb`.");
  assert.equal(rowWords({ ...MADE, labels: [] }, 1), "Row 1 of `dC`: never picked, so it is zero.");
});
