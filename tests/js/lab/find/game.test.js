import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ACCUSED,
  BEGUN,
  HINTS,
  LOOKS,
  NAMED,
  foundLine,
  gameIn,
  halvings,
  hintsOf,
  looksOf,
  pointsOf,
  together,
  withDeed,
} from "../../../../static/js/lab/find/game.js";
/** @typedef {import("../../../../static/js/lab/find/game.js").Deed} Deed */

/** @param {...Deed} deeds */
const played = (...deeds) => deeds.reduce(withDeed, BEGUN);
/** @param {number} line @param {boolean} right @returns {Deed} */
const accused = (line, right) => ({ do: "accuse", line, right });

test("every look costs once, and each cell is a look of its own", () => {
  const look = /** @type {Deed} */ ({ do: "nudge", line: 3, cell: [0, 1] });
  const other = /** @type {Deed} */ ({ do: "nudge", line: 3, cell: [1, 0] });
  const game = played({ do: "gradient", line: 3 }, look, look, other);
  assert.equal(looksOf(game), 3);
  assert.equal(pointsOf(game), 100 - LOOKS.gradient - 2 * LOOKS.nudge);
});

test("hints cost more and more, and a wrong name less than a wrong line", () => {
  const game = played({ do: "hint", grade: 1 }, { do: "hint", grade: 2 });
  assert.equal(pointsOf(game), 100 - HINTS[0] - HINTS[1]);
  assert.equal(hintsOf(game), 2);
  const named = (/** @type {string} */ mistake) => /** @type {Deed} */ ({ do: "name", line: 3, mistake, right: false });
  assert.equal(pointsOf(played(named("sign"), named("scale"), named("sign"))), 100 - 2 * NAMED);
  assert.ok(NAMED < ACCUSED);
  assert.equal(looksOf(game), 0);
});

test("trying all lines scores nothing: two wrong ones leave no point, 24 lines are worth six on average", () => {
  const tried = (/** @type {number} */ wrong) =>
    pointsOf(played(...Array.from({ length: wrong }, (_, i) => accused(i, false)), accused(wrong, true)));
  for (let wrong = 2; wrong < 31; wrong += 1) assert.equal(tried(wrong), 0);
  const lines = 24;
  const sum = Array.from({ length: lines }, (_, wrong) => tried(wrong)).reduce((a, b) => a + b);
  assert.ok(sum / lines < 6);
});

test("to look at every line leaves nothing either, and to halve them most of it", () => {
  const all = Array.from({ length: 13 }, (_, line) => [
    /** @type {Deed} */ ({ do: "gradient", line }),
    /** @type {Deed} */ ({ do: "nudge", line, cell: [0] }),
    /** @type {Deed} */ ({ do: "lens", line, cell: [0] }),
  ]);
  assert.equal(pointsOf(played(...all.flat())), 0);
  const halved = all.slice(0, halvings(13)).flatMap(([gradient, nudge]) => [gradient, nudge]);
  assert.ok(pointsOf(played(...halved)) > 70);
  assert.equal(pointsOf(played(...[0, 1, 2, 3, 4].map((line) => /** @type {Deed} */ ({ do: "run", line })))), 0);
});

test("after the end nothing counts, and a line that was shown is worth nothing", () => {
  const found = { ...played(accused(4, true)), over: /** @type {const} */ ("found") };
  assert.equal(pointsOf(withDeed(found, { do: "run", line: 1 })), 100);
  assert.equal(foundLine(found), 4);
  assert.equal(foundLine(played(accused(2, false))), null);
  assert.equal(pointsOf({ ...BEGUN, over: "shown" }), 0);
});

test("a game that is played in two windows costs what was done in either, and ends as it ended first", () => {
  const [one, other] = [played({ do: "run", line: 1 }, accused(2, false)), played({ do: "run", line: 1 })];
  assert.deepEqual(together(one, other), one);
  assert.deepEqual(together(other, one), one);
  assert.equal(pointsOf(together(one, played({ do: "hint", grade: 1 }))), 100 - LOOKS.run - ACCUSED - HINTS[0]);
  assert.equal(together({ ...one, over: "shown" }, { ...other, over: "found" }).over, "shown");
  assert.equal(together(one, { ...other, over: "found" }).over, "found");
});

test("what was kept is read again, and what is no game is a new one", () => {
  const game = played({ do: "lens", line: 2, cell: [] }, accused(1, false));
  assert.deepEqual(gameIn(JSON.parse(JSON.stringify(game))), game);
  assert.deepEqual(gameIn({ deeds: [{ do: "cheat" }, { do: "run", line: "x" }, null], over: "won" }), BEGUN);
  assert.deepEqual(gameIn(null), BEGUN);
});
