import assert from "node:assert/strict";
import { test } from "node:test";
import { BEGUN } from "../../../../static/js/lab/find/game.js";
import { gamesIn, recordOf, withGame } from "../../../../static/js/lab/find/games.js";

const FOUND = { deeds: [{ do: /** @type {const} */ ("hint"), grade: 1 }], over: /** @type {const} */ ("found") };

test("a network's record is what was found in it, and the best of it", () => {
  const games = { "digits/1": FOUND, "digits/2": { ...BEGUN, over: /** @type {const} */ ("found") }, "block/1": FOUND };
  assert.deepEqual(recordOf(games, "digits"), { found: 2, best: 100 });
  assert.deepEqual(recordOf(games, "block"), { found: 1, best: 90 });
  assert.deepEqual(recordOf({ "block/1": BEGUN }, "block"), { found: 0, best: 0 });
});

test("the latest games are kept, and what can't be read is none", () => {
  let games = {};
  for (let seed = 0; seed < 250; seed += 1) games = withGame(games, `digits/${seed}`, FOUND);
  assert.equal(Object.keys(games).length, 200);
  assert.ok("digits/249" in games);
  assert.ok(!("digits/0" in games));
  assert.deepEqual(gamesIn(JSON.stringify(games)), games);
  for (const text of ["{", "null", null]) assert.deepEqual(gamesIn(text), {});
});
