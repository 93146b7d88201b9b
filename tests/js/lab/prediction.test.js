import assert from "node:assert/strict";
import { test } from "node:test";
import { ANSWERS, lookAt, rightAnswer } from "../../../static/js/lab/prediction.js";

/** @type {any} */
const COMPARISON = {
  tensors: [
    { variable: "W", value: { kind: "same" }, gradient: { kind: "scale" } },
    { variable: "diff", value: { kind: "shape" }, gradient: null },
  ],
};

test("a name is a value where there is one, else a gradient", () => {
  assert.equal(lookAt(COMPARISON, "dW").likeness?.kind, "scale");
  assert.equal(lookAt(COMPARISON, "diff").likeness?.kind, "shape");
  assert.equal(lookAt(COMPARISON, "dU").likeness, null);
});

test("every kind of difference is among the answers, and rounding is none", () => {
  const offered = ANSWERS.map(([key]) => key);
  for (const kind of ["same", "scale", "opposite", "turned", "zero", "broken", "shape", "missing"])
    assert.ok(offered.includes(/** @type {any} */ (rightAnswer(/** @type {any} */ ({ kind })))), kind);
  assert.equal(rightAnswer(/** @type {any} */ ({ kind: "rounding" })), "same");
  assert.equal(rightAnswer(null), "missing");
  for (const [key, , would] of ANSWERS) assert.match(would, /^Then .+\.$/, key);
});
