import assert from "node:assert/strict";
import { test } from "node:test";
import { UNDONE } from "../../../static/js/figures/drawing.js";
import { answered, outcomeWords, revealed } from "../../../static/js/figures/question.js";

test("wrong answers are counted once each, and a right one is the last", () => {
  const once = answered(UNDONE, "a", false);
  const twice = answered(answered(once, "a", false), "b", false);
  assert.deepEqual(twice, { outcome: "", tries: ["a", "b"], given: "b" });
  const right = answered(twice, "c", true);
  assert.deepEqual(right, { outcome: "right", tries: ["a", "b"], given: "c" });
  assert.equal(answered(right, "a", false), right);
});

test("an answer that was asked for is shown, but not one that was found", () => {
  assert.deepEqual(revealed(UNDONE, "c"), { outcome: "shown", tries: [], given: "c" });
  const right = answered(UNDONE, "c", true);
  assert.equal(revealed(right, "c"), right);
});

test("how it came out is said in few words", () => {
  assert.equal(outcomeWords(UNDONE), "");
  assert.equal(outcomeWords(answered(UNDONE, "a", false)), "Not yet.");
  assert.equal(outcomeWords(answered(UNDONE, "c", true)), "Right at the first try.");
  assert.equal(outcomeWords(answered(answered(UNDONE, "a", false), "c", true)), "Right, at try 2.");
  assert.equal(outcomeWords(revealed(UNDONE, "c")), "Shown.");
});
