import assert from "node:assert/strict";
import { test } from "node:test";
import { Tensor } from "../../../static/js/shared/tensor.js";
import { chanceWords, chancesOf, scoresOf, topOf } from "../../../static/js/changes/chances.js";

/** @returns {any} two examples of three classes, the second in focus */
const walk = () => ({
  document: {
    nodes: [
      { name: "h", view: null, targets: null },
      { name: "logits", view: "tug-of-war", targets: [0, 2], dims: ["example", "class"], gradient: {} },
    ],
    labels: { example: ["..a → b", ".ab → c"], class: ["a", "b", "c"] },
    in_focus: { example: 1 },
  },
});
// (p − one-hot) / 2 of p = (0.5, 0.25, 0.25) and p = (0.2, 0.3, 0.5)
const NUMBERS = new Float32Array([-0.25, 0.125, 0.125, 0.1, 0.15, -0.25]);
const GRADIENT = new Tensor({ dtype: "f4", shape: "2, 3", bdata: Buffer.from(NUMBERS.buffer).toString("base64") });

test("the shares are read from the gradient of the scores", () => {
  const chances = chancesOf(walk(), GRADIENT);
  assert.ok(chances);
  assert.deepEqual(
    chances.shares.map((share) => Number(share.toFixed(6))),
    [0.2, 0.3, 0.5],
  );
  assert.deepEqual([chances.target, chances.example, chances.names], [2, ".ab → c", ["a", "b", "c"]]);
  assert.equal(scoresOf(walk())?.name, "logits");
});

test("what became of the right class, once", () => {
  const before = { shares: [0.5, 0.5], target: 1, names: ["a", "b"], example: "a → b" };
  assert.equal(chanceWords(before, before), "“b” has 50 %");
  assert.equal(chanceWords(before, { ...before, shares: [0.25, 0.75] }), "“b” had 50 % and has 75 %");
});

test("the scale has room above, and never shrinks while the number moves", () => {
  const before = { shares: [0.2, 0.4], target: 1, names: ["a", "b"], example: "" };
  const high = topOf(before, { ...before, shares: [0.1, 0.9] }, 0);
  assert.equal(topOf(before, before, 0), 1.5 * 0.4);
  assert.equal(high, 0.9);
  assert.equal(topOf(before, before, high), 0.9);
});
