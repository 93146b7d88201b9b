import assert from "node:assert/strict";
import { test } from "node:test";
import { diagnoses } from "../../../static/js/editor/diagnosis.js";
import { constantRow, emptyDraft, tensorRow } from "../../../static/js/editor/draft.js";
import { mistakesIn } from "../../../static/js/editor/request.js";
import { rowMistakes } from "../../../static/js/editor/row-mistakes.js";

const x = tensorRow({ name: "x", shape: "2" });
const n = constantRow({ name: "n", value: "3" });
const DRAFT = { ...emptyDraft("y = x * n"), tensors: [x], constants: [n] };

/** @param {string} code @param {string} message */
function told(code, message) {
  const mistakes = rowMistakes(DRAFT, diagnoses({ code, message }, DRAFT));
  return mistakes.map(({ id, field }) => [id === x.id ? "x" : "n", field]);
}

test("what the server refuses stands at its row and field", () => {
  assert.deepEqual(told("dims-unknown", "dims.x: too many names."), [["x", "axes"]]);
  assert.deepEqual(told("name-taken", "`x` is taken."), [["x", "name"]]);
  assert.deepEqual(told("constants-shape", "constants.n: no number."), [["n", "name"]]);
  assert.deepEqual(told("request", "tensors.x.seed: too large."), [["x", "seed"]]);
  assert.deepEqual(told("tensor-too-large", "`x` is too large."), [["x", "shape"]]);
  assert.deepEqual(told("tensor-other", "`x` is odd."), [["x", ""]]);
});

test("what it says of the program is at no row", () => {
  assert.deepEqual(told("busy", "Too many."), []);
});

test("what the form itself lacks comes first", () => {
  const draft = { ...DRAFT, tensors: [{ ...x, shape: "a" }] };
  const mistakes = rowMistakes(draft, diagnoses({ code: "tensor-too-large", message: "`x` is too large." }, draft));
  assert.ok(mistakes.length > 0);
  assert.deepEqual(mistakes, mistakesIn(draft));
});
