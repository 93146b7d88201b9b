import assert from "node:assert/strict";
import { test } from "node:test";
import { walkLink } from "../../../static/js/figures/deep-link.js";
import { placeOf } from "../../../static/js/walk/url.js";
import { wayBack } from "../../../static/js/walk/way-back.js";

test("a figure's address in the walk leads to its step, its number, and back to the figure", () => {
  const changes = [{ tensor: "w", index: [0, 1], value: 0.5 }];
  const spot = { step: 4, cell: [0, 1], of: /** @type {const} */ ("gradient"), tensor: "w", changes };
  const url = new URL(walkLink("/walk/broadcasting", spot, "/learn/broadcasting#cell-dw-0-1"), "http://here");
  const place = placeOf(url, "usual");
  assert.deepEqual([place.lesson, place.step, place.cell, place.of], ["broadcasting", 4, [0, 1], "gradient"]);
  assert.deepEqual([place.tensor, place.changes], ["w", changes]);
  assert.equal(wayBack(url), "/learn/broadcasting#cell-dw-0-1");
});

test("a program of its own in a chapter keeps its name, and a step alone needs nothing more", () => {
  assert.equal(walkLink("/walk/first.row", { step: 0 }, "/learn/first"), "/walk/first.row?from=%2Flearn%2Ffirst");
});
