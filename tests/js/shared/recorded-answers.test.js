import { test } from "node:test";
import assert from "node:assert/strict";
import { agree, insteadOf, judged } from "../../../static/js/shared/recorded-answers.js";

test("numbers and shapes are judged in the page, however they are written", () => {
  for (const given of ["-0.0313", "−0.0312", "-1/32", " -3.13e-2 "]) assert.equal(agree(given, "−0.0313"), true, given);
  for (const given of ["0.0313", "-0.0323", "32", "-1/0", "n", "", "1/"])
    assert.equal(agree(given, "−0.0313"), false, given);
  assert.equal(agree("0.000027", "2.7·10⁻⁵"), true);
  assert.equal(agree("(32,3, 10)", "(32, 3, 10)"), true);
  assert.equal(agree("(32, 30)", "(32, 3, 10)"), false);
  assert.equal(agree("dZ.sum(0)", "dZ.sum(0, keepdim=True)"), null);
});

test("a line that nobody recorded is told so, with the hints that were asked for", () => {
  const asked = { target: "w", answer: "dw = 1", hints: 2 };
  assert.deepEqual(insteadOf(asked), { target: "w", answer: "", hints: 2 });
  const known = { correct: false, diagnosis: { code: "syntax", message: "no answer" }, hints: ["a", "b", "c"] };
  const reply = /** @type {any} */ (judged(asked, known));
  assert.equal(reply.correct, false);
  assert.match(reply.diagnosis.message, /make run/);
  assert.deepEqual(reply.hints, ["a", "b"]);
});

test("what is no written answer has no other question", () => {
  assert.equal(insteadOf({ block: "quiz", show: true }), null);
});
