import assert from "node:assert/strict";
import { test } from "node:test";
import {
  UNTRIED,
  checked,
  hinted,
  isBlank,
  outcomeText,
  shown,
  stands,
  typed,
} from "../../../static/js/practice/attempts.js";

/** @param {boolean} correct @param {string} code @param {string[]} hints @returns {any} */
const reply = (correct, code = "sign", hints = []) => ({
  correct,
  verdict: null,
  diagnosis: correct ? null : { code, message: "", where: null },
  hints,
  zero: null,
  gradient: null,
});

test("right at once, after tries, after hints and shown are told apart", () => {
  const first = checked(typed(UNTRIED, "dx = 1"), "dx = 1", reply(true));
  assert.equal(outcomeText(first), "right at the first try");
  const wrong = checked(UNTRIED, "dx = 2", reply(false));
  assert.deepEqual([outcomeText(wrong), wrong.mistakes, wrong.wrong], ["not yet right", ["sign"], ["dx = 2"]]);
  const second = checked(wrong, "dx = 1", reply(true));
  assert.deepEqual([outcomeText(second), second.wrong], ["right after 2 tries", ["dx = 2"]]);
  assert.equal(outcomeText(checked(hinted(wrong, ["rule"]), "dx = 1", reply(true))), "right after 1 hint");
  assert.equal(outcomeText(shown(wrong, "dx = 1")), "shown");
  assert.equal(outcomeText(UNTRIED), "not tried");
});

test("what was right stays counted as it was first", () => {
  const right = checked(UNTRIED, "dx = 1", reply(true));
  const again = checked(hinted(typed(right, "dx = 3"), ["rule"]), "dx = 3", reply(false));
  assert.equal(outcomeText(again), "right at the first try");
  assert.equal(outcomeText(shown(again, "dx = 1")), "right at the first try");
  assert.ok(!stands(again));
  assert.ok(stands(checked(typed(again, "dx = 1.0"), "dx = 1.0", reply(true))));
});

test("hints that are known are not lost when an answer brings fewer", () => {
  const two = hinted(UNTRIED, ["rule", "axis"]);
  assert.deepEqual(checked(two, "x", reply(false, "sign", ["rule"])).hints, ["rule", "axis"]);
});

test("the beginning of a line alone is nothing written", () => {
  assert.ok(isBlank(UNTRIED, "dx"));
  assert.ok(isBlank(typed(UNTRIED, "dx = "), "dx"));
  assert.ok(!isBlank(typed(UNTRIED, "dx = y"), "dx"));
});
