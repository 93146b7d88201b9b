import assert from "node:assert/strict";
import { test } from "node:test";
import { matches } from "../../../../static/js/lab/room/matching.js";

test("a card is found by all words of a query, in any order and spelling of capitals", () => {
  const card = "Softmax over an axis of length one: PetrochukM/PyTorch-NLP#2, 2018";
  for (const query of ["", "softmax", "one SOFTMAX", "2018 nlp"]) assert.ok(matches(card, query), query);
  for (const query of ["dropout", "softmax dropout"]) assert.ok(!matches(card, query), query);
});
