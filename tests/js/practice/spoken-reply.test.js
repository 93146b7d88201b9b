import assert from "node:assert/strict";
import { test } from "node:test";
import { replyWords } from "../../../static/js/practice/spoken-reply.js";

/** @type {any} */
const WRONG = { correct: false, verdict: null, diagnosis: { message: "`dx` lacks the sum." }, zero: null };

test("what is said of an answer has no marks in it", () => {
  assert.equal(replyWords("dx", WRONG), "dx is not right yet. dx lacks the sum.");
  const right = { ...WRONG, correct: true, diagnosis: null, verdict: { level: "exact" } };
  assert.equal(replyWords("dx", right), "dx is right. Equal to autograd's, bit for bit.");
  const zero = { ...right, verdict: { level: "zero" }, zero: "The true gradient is zero." };
  assert.equal(replyWords("dx", zero), "dx is right. The true gradient is zero.");
  const lucky = { ...zero, diagnosis: { message: "The minus sign is missing. Here that changes nothing." } };
  assert.equal(
    replyWords("dx", lucky),
    "dx is right. The true gradient is zero. The minus sign is missing. Here that changes nothing.",
  );
});
