import assert from "node:assert/strict";
import { test } from "node:test";
import { exampleWords, laterWords } from "../../../static/js/opening/moments.js";

const scene = /** @type {any} */ ({ letters: [".", "a", "n"], right: 2 });
const later = (/** @type {number[][]} */ ...probs) =>
  probs.map((one, i) => ({ steps: [0, 1, 10][i], loss: 3, probs: one }));

test("the example is told as a guess of what comes next, at a name's start and end, too", () => {
  const said = (/** @type {string} */ label) => exampleWords({ ...scene, label });
  const reads = (/** @type {string} */ part) => `${part}: an untrained network guesses the next letter.`;
  assert.equal(said("zde → n"), `${reads("Part of a name, “zde”")} It should be “n”.`);
  assert.equal(said("..d → o"), `${reads("The beginning of a name, “d”")} It should be “o”.`);
  assert.equal(said("... → p"), "An untrained network guesses a name’s first letter. It should be “p”.");
  assert.equal(said("nna → ."), `${reads("Part of a name, “nna”")} Here the name ends.`);
});

test("what a step does to the right letter is said as it is", () => {
  assert.match(
    laterWords(scene, later([0, 0, 0.04], [0, 0, 0.05], [0, 0, 0.11])),
    /“n” rises from 4.0.% to 5.0.%, after 10/,
  );
  assert.match(laterWords(scene, later([0, 0, 0.06], [0, 0, 0.05], [0, 0, 0.11])), /“n” falls from 6.0.% to 5.0.%/);
});
