import assert from "node:assert/strict";
import { test } from "node:test";
import {
  countWords,
  plantIn,
  plantText,
  plantedWords,
  targetOf,
  uprootedWords,
  withPlant,
} from "../../../static/js/walk/plant.js";
import { withChanges } from "../../../static/js/walk/changes.js";

/** @param {object} planted @returns {any} */
function documentWith(planted) {
  const own = {
    step: 24,
    mistake: "missing-sum",
    label: "the sum is left out",
    code: "dx = a * dy",
    right: "dx = (a * dy).sum(0)",
    why: "",
    outcome: "That gives (3, 2); it must be (2,).",
    wrong: ["dx", "dw"],
    lost: [],
  };
  return { planted: { ...own, ...planted }, summary: { gradients: 5 } };
}

test("a mistake is in the link by its step, counted from 1, and its name", () => {
  const plant = { step: 24, mistake: "missing-sum" };
  assert.equal(plantText(plant), "25.missing-sum");
  assert.deepEqual(plantIn("25.missing-sum"), plant);
  const own = { step: 24, code: "dx = 2 * dy" };
  assert.equal(plantText(own), "25=dx = 2 * dy");
  assert.deepEqual(plantIn("25=dx = 2 * dy"), own);
  for (const odd of [
    null,
    "",
    "25",
    "0=dx",
    "25=",
    "0.sign",
    "25.",
    "25.Sign",
    "25.sign<b>",
    "-1.sign",
    "9999999.sign",
  ])
    assert.equal(plantIn(odd), null, String(odd));
});

test("a request with a mistake stays one that changes can be added to", () => {
  const plant = { step: 3, mistake: "sign" };
  assert.equal(withPlant('{"lesson":"x"}', null), '{"lesson":"x"}');
  const both = withChanges(withPlant('{"lesson":"x"}\n', plant), [{ tensor: "b", value: 1 }]);
  assert.deepEqual(JSON.parse(both), { lesson: "x", plant, changes: [{ tensor: "b", value: 1 }] });
});

test("what is planted is said with what comes of it at its step, and with its place elsewhere", () => {
  const count = "2 of 5 gradients are wrong.";
  const outcome = "That gives (3, 2); it must be (2,).";
  assert.equal(plantedWords(documentWith({}), true), `**Wrong on purpose:** the sum is left out. ${outcome} ${count}`);
  assert.equal(
    plantedWords(documentWith({}), false),
    `**Wrong on purpose at step 25:** the sum is left out in \`dx\`. ${count}`,
  );
  assert.equal(plantedWords(documentWith({ label: "" }), true), `**Your own line**. ${outcome} ${count}`);
  assert.equal(plantedWords(documentWith({ label: "" }), false), `**Your own line at step 25** for \`dx\`. ${count}`);
  assert.equal(plantedWords(/** @type {any} */ ({ planted: null }), true), "");
});

test("the gradients are counted, those too that can't be computed", () => {
  const words = (/** @type {object} */ planted) => countWords(documentWith(planted));
  assert.equal(words({ wrong: [] }), "");
  assert.equal(words({ wrong: ["dx"] }), "1 of 5 gradients is wrong.");
  assert.equal(words({ lost: ["dw"] }), "2 of 5 gradients are wrong; 1 of them can’t be computed any more.");
  assert.equal(words({ lost: ["dx", "dw"] }), "2 of 5 gradients are wrong: they can’t be computed any more.");
});

test("the gradient that a line makes", () => {
  assert.equal(targetOf("dx = 2 * dy"), "dx");
  assert.equal(targetOf("dx = torch.zeros_like(x)\ndx[range(n), y] = -dloss / n"), "dx");
  assert.equal(targetOf("dx -= dy"), "dx");
  assert.equal(targetOf("h_max = h.amax(0)\ndx += torch.where(\n    h == h_max, dy, 0.0\n)"), "dx");
  assert.equal(targetOf("dx[\n    :, 1:n+1\n] += dy"), "dx");
});

test("a mistake that a change took along is told with its step and the tensor that was cut off", () => {
  const words = "is gone: `h` is given now, so that its line is cut and the steps are others.";
  assert.equal(uprootedWords({ step: 24, mistake: "sign" }, "h"), `The mistake at step 25 ${words}`);
  assert.equal(uprootedWords({ step: 2, code: "dx = dy" }, "h"), `Your own line at step 3 ${words}`);
});
