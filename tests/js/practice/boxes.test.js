import assert from "node:assert/strict";
import { test } from "node:test";
import { BOXES, EMPTY, boxOf, boxesIn, countBoxes, isDue, moved, nextDeck } from "../../../static/js/practice/boxes.js";
/** @typedef {import("../../../static/js/practice/boxes.js").Boxes} Boxes */

/** @param {Boxes} boxes @param {number} decks @returns {Boxes} */
const later = (boxes, decks) => (decks ? later(nextDeck(boxes), decks - 1) : boxes);

/** @param {Boxes} boxes @param {string} id @returns {number} after how many decks it is asked again */
function wait(boxes, id) {
  for (let decks = 1; decks < 99; decks += 1) if (isDue(later(boxes, decks), id)) return decks;
  return NaN;
}

test("what is right at once waits twice as long each time, up to the last box", () => {
  let boxes = /** @type {Boxes} */ (EMPTY);
  const waits = [];
  for (let i = 0; i < BOXES + 1; i += 1) {
    boxes = moved(boxes, "sum.x", true);
    waits.push(wait(boxes, "sum.x"));
    boxes = later(boxes, waits[i]);
  }
  assert.deepEqual(waits, [2, 4, 8, 16, 16, 16]);
});

test("what is wrong falls back into the first box, and comes with the next deck", () => {
  const far = ["a", "a", "a"].reduce((boxes, id) => moved(boxes, id, true), /** @type {Boxes} */ (EMPTY));
  assert.equal(boxOf(far, "a"), 4);
  const back = moved(far, "a", false);
  assert.deepEqual([boxOf(back, "a"), wait(back, "a")], [1, 1]);
  assert.equal(isDue(back, "a"), false);
});

test("a drill that was never asked is new, and not due", () => {
  assert.deepEqual([boxOf(EMPTY, "toString"), isDue(later(EMPTY, 50), "a")], [0, false]);
  assert.deepEqual(countBoxes(moved(moved(EMPTY, "a", true), "b", false), ["a", "b", "c"]), [1, 1, 1, 0, 0, 0]);
});

test("of what was kept only what is of the right kind is taken", () => {
  const boxes = moved(later(EMPTY, 3), "a", true);
  assert.deepEqual(boxesIn(JSON.parse(JSON.stringify(boxes))), boxes);
  const odd = { deck: 2, places: { a: { box: 9, deck: 1 }, b: { box: 1, deck: -1 }, c: null, d: { box: 2, deck: 7 } } };
  assert.deepEqual(boxesIn(odd), { deck: 2, places: { d: { box: 2, deck: 2 } } });
  for (const data of [null, undefined, 7, "x", [], { deck: 0.5, places: 3 }]) assert.deepEqual(boxesIn(data), EMPTY);
});
