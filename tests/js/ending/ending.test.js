import assert from "node:assert/strict";
import { test } from "node:test";
import { descentWords, expected, stepWords, tallies, tallyWords } from "../../../static/js/ending/ending.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";

/** @param {string} name @param {string} level @returns {Walk} the small walk where this gradient came out so */
function judged(name, level) {
  const document = smallWalk();
  const node = document.nodes.find((/** @type {any} */ one) => one.name === name);
  node.gradient.verdict = { ...node.gradient.verdict, level };
  return new Walk(document);
}

test("gradients are counted by how they came out, the loss's own left out, worst first", () => {
  const all = tallies(judged("x", "wrong"));
  assert.deepEqual(
    all.map(({ level, count }) => [level, count]),
    [
      ["wrong", 1],
      ["exact", 2],
    ],
  );
  assert.equal(tallyWords(all), "3 gradients:");
});

test("each gradient leads to the step that completes it", () => {
  const [exact] = tallies(new Walk(smallWalk()));
  assert.deepEqual(exact.steps, [
    { variable: "dx", index: 6 },
    { variable: "dw", index: 5 },
    { variable: "dy", index: 3 },
  ]);
});

test("one true zero, several true zeros", () => {
  const word = (/** @type {Walk} */ walk) => tallies(walk).find(({ level }) => level === "zero")?.word;
  assert.equal(word(judged("x", "zero")), "true zero");
  const walk = judged("x", "zero");
  const y = walk.node("y").gradient;
  if (y) y.verdict.level = "zero";
  assert.equal(word(walk), "true zeros");
});

const DESCENT = {
  parameters: ["C", "W1"],
  loss: 3.34,
  squared_gradient: 1,
  steps: [
    { rate: 0.1, loss: 3.2343, promised: 3.2334 },
    { rate: 10, loss: 4.5, promised: -7.3 },
    { rate: 1e9, loss: "NaN", promised: "-Infinity" },
  ],
};

test("a step downhill tells what was promised, and where it went too far", () => {
  assert.equal(
    descentWords(DESCENT, 0, "loss"),
    "`loss` goes from **3.340** to **3.234**. The gradients promised 3.233.",
  );
  assert.equal(
    descentWords(DESCENT, 1, "loss"),
    "`loss` goes from **3.340** to **4.500**. The gradients promised −7.300. That is too far.",
  );
  assert.equal(
    descentWords(DESCENT, 2, "loss"),
    "`loss` goes from **3.340** to **NaN**. The gradients promised −∞. That is too far.",
  );
});

test("what moves is said for one parameter and for several", () => {
  assert.equal(stepWords(DESCENT, 0.1), "Each of the 2 parameters moves against its gradient: `C -= 0.1 * dC`.");
  assert.equal(stepWords({ ...DESCENT, parameters: ["x"] }, 1), "`x` moves against its gradient: `x -= 1 * dx`.");
});

test("what is on its way takes the room of what will stand there", () => {
  const descent = expected(new Walk(smallWalk()));
  assert.match(stepWords(descent, 0.1), /^`w` moves|^Each of the \d+ parameters moves/);
  assert.match(descentWords(descent, 1, "loss"), /goes from \*\*(.+)\*\* to \*\*\1\*\*\. The gradients promised \1\.$/);
});
