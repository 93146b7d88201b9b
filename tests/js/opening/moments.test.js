import assert from "node:assert/strict";
import { test } from "node:test";
import { exampleWords, laterWords } from "../../../static/js/opening/moments.js";

const scene = /** @type {any} */ ({ letters: [".", "a", "n"], right: 2 });
const later = (/** @type {number[][]} */ ...probs) =>
  probs.map((one, i) => ({ steps: [0, 1, 10][i], loss: 3, probs: one }));

test("the example is told as what comes after what, at a name's start and end, too", () => {
  const said = (/** @type {string} */ label) => exampleWords({ ...scene, label });
  assert.match(said("zde → n"), /“n” comes after “zde”/);
  assert.match(said("..d → o"), /“o” comes after “d”/);
  assert.match(said("... → p"), /a name begins, and the next letter is “p”/);
  assert.match(said("nna → ."), /After “nna” this name ends/);
});

test("what a step does to the right letter is said as it is", () => {
  assert.match(
    laterWords(scene, later([0, 0, 0.04], [0, 0, 0.05], [0, 0, 0.11])),
    /“n” rises from 4.0.% to 5.0.%, after 10/,
  );
  assert.match(laterWords(scene, later([0, 0, 0.06], [0, 0, 0.05], [0, 0, 0.11])), /“n” falls from 6.0.% to 5.0.%/);
});
