import assert from "node:assert/strict";
import { test } from "node:test";
import { EMPTY, moved, nextDeck } from "../../../static/js/practice/boxes.js";
import { deckOf, shuffled } from "../../../static/js/drills/deck.js";

const DRILLS = Array.from({ length: 12 }, (_, i) => /** @type {any} */ ({ id: `d${i}`, group: "reductions" }));
const ids = (/** @type {{id: string}[]} */ drills) => drills.map(({ id }) => id);

test("a seed gives an order, the same each time, and another seed another one", () => {
  assert.deepEqual(shuffled(DRILLS, 7), shuffled(DRILLS, 7));
  assert.notDeepEqual(ids(shuffled(DRILLS, 7)), ids(shuffled(DRILLS, 8)));
  assert.deepEqual(ids(shuffled(DRILLS, 7)).sort(), ids(DRILLS).sort());
  assert.deepEqual(ids(deckOf(DRILLS, EMPTY, 7, 5)), ids(shuffled(DRILLS, 7)).slice(0, 5));
});

test("what was wrong comes first in the next deck, what was right waits behind what is new", () => {
  const boxes = nextDeck(moved(moved(nextDeck(EMPTY), "d3", false), "d5", true));
  const deck = ids(deckOf(DRILLS, boxes, 7, 12));
  assert.deepEqual([deck[0], deck.at(-1)], ["d3", "d5"]);
  assert.equal(ids(deckOf(DRILLS, boxes, 7, 11)).includes("d5"), false);
  const due = ids(deckOf(DRILLS, nextDeck(boxes), 7, 2));
  assert.deepEqual(due, ["d3", "d5"]);
});
