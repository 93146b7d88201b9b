import assert from "node:assert/strict";
import { test } from "node:test";
import { replyWords } from "../../../static/js/practice/spoken-reply.js";

/** @type {any} */
const WRONG = { correct: false, verdict: "", diagnosis: { message: "`dx` lacks the sum." }, zero: null };

test("what is said of an answer has no marks in it", () => {
  assert.equal(replyWords("dx", WRONG), "dx is not right yet. dx lacks the sum.");
  const zero = { ...WRONG, correct: true, verdict: "Equal.", zero: "The true gradient is zero." };
  assert.equal(replyWords("dx", zero), "dx is right. Equal. The true gradient is zero.");
});
