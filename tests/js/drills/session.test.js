import assert from "node:assert/strict";
import { test } from "node:test";
import { UNTRIED } from "../../../static/js/practice/attempts.js";
import { advanced, atOnce, cardOf, resultsOf, started, written } from "../../../static/js/drills/session.js";
/** @typedef {import("../../../static/js/practice/attempts.js").Attempt} Attempt */
/** @typedef {import("../../../static/js/drills/session.js").Session} Session */

const DECK = ["a", "b", "c", "d", "e"].map((id) => /** @type {any} */ ({ id, lines: ["out = x"], name: "dx" }));
/** @type {Attempt} */
const RIGHT = { ...UNTRIED, text: "dx = 1", accepted: "dx = 1", tries: 1, outcome: "right" };
/** @type {Attempt} */
const LATE = { ...RIGHT, tries: 2, mistakes: ["sign"] };
const order = (/** @type {Session} */ session) => session.cards.map(({ drill }) => drill.id).join("");

/** @param {Session} session @param {Attempt[]} attempts @returns {Session} */
function played(session, ...attempts) {
  return attempts.reduce((one, attempt) => advanced(written(one, attempt)), session);
}

test("right at once is right at the first try without a hint", () => {
  assert.equal(atOnce(RIGHT), true);
  for (const attempt of [
    LATE,
    UNTRIED,
    { ...RIGHT, hints: ["rule"] },
    { ...RIGHT, outcome: /** @type {const} */ ("shown") },
  ])
    assert.equal(atOnce(attempt), false);
});

test("a card that was not right at once comes back behind three others", () => {
  assert.equal(order(played(started(DECK), RIGHT, RIGHT)), "abcde");
  const after = played(started(DECK), LATE);
  assert.equal(order(after), "abcdae");
  assert.deepEqual(
    after.cards.map(({ again }) => again),
    [false, false, false, false, true, false],
  );
  assert.equal(order(played(started(DECK.slice(0, 1)), LATE)), "aa");
});

test("put off, a card comes back as well; the deck ends when each was right at once", () => {
  const all = played(started(DECK.slice(0, 2)), UNTRIED, RIGHT, RIGHT);
  assert.equal(cardOf(all), null);
  assert.equal(order(all), "aba");
});

test("results count each drill once, as it was the first time", () => {
  const { results, right, kinds } = resultsOf(played(started(DECK.slice(0, 2)), LATE, RIGHT, RIGHT));
  assert.deepEqual(
    results.map(({ drill, atOnce: one, kinds: own }) => [drill.id, one, own]),
    [
      ["a", false, ["sign"]],
      ["b", true, []],
    ],
  );
  assert.deepEqual([right, kinds], [1, [{ kind: "sign", count: 1 }]]);
});
