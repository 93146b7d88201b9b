import assert from "node:assert/strict";
import { test } from "node:test";
import { sceneOf } from "../../../static/js/equation/equation.js";
import { motionOf } from "../../../static/js/equation/flights.js";
import { frameOf, levelAt } from "../../../static/js/walk/frame.js";
import { Predictions } from "../../../static/js/quiz/predictions.js";
import { announcement, gist } from "../../../static/js/walk/announcement.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";
import { calm } from "../state.js";

const walk = new Walk(smallWalk());
/** @param {object} state */
function frame(state, predictions = new Predictions()) {
  return frameOf(walk, { ...calm, ...state }, predictions);
}

test("a value is not there before its line has run, inputs always are", () => {
  assert.equal(walk.valueAt("loss", 0), null);
  assert.equal(walk.valueAt("loss", 1)?.data[0], 16);
  assert.equal(walk.valueAt("w", 0)?.data[1], -1);
});

test("a gradient is none, then partial, then complete", () => {
  assert.equal(walk.gradientAt("w", 3).stage, "none");
  assert.equal(walk.gradientAt("w", 4).stage, "partial");
  assert.deepEqual([walk.gradientAt("w", 4).arrived, walk.gradientAt("w", 4).expected], [1, 2]);
  assert.equal(walk.gradientAt("w", 5).stage, "complete");
  assert.equal(levelAt(walk, "w", 4), "partial");
  assert.equal(levelAt(walk, "w", 6), "exact");
});

test("selecting a node leads forward to its line and backward to its contributions in turn", () => {
  assert.equal(walk.stepFor("y", 0), 0);
  assert.equal(walk.stepFor("w", 0), null);
  assert.equal(walk.stepFor("w", 6), 5);
  assert.equal(walk.stepFor("w", 5), 4);
  assert.equal(walk.stepFor("w", 4), 5);
});

test("a step outside the walk is the nearest one inside", () => {
  assert.deepEqual([walk.clamp(-3), walk.clamp(99), walk.clamp(NaN)], [0, 6, 0]);
});

test("while a question is open the step's outcome is not known", () => {
  const predictions = new Predictions();
  assert.deepEqual(
    [frame({ step: 4, predict: true }, predictions).asking, frame({ step: 4, predict: true }, predictions).known],
    [true, 3],
  );
  predictions.choose(walk.steps[4], 0);
  assert.deepEqual(
    [frame({ step: 4, predict: true }, predictions).asking, frame({ step: 4, predict: true }, predictions).known],
    [false, 4],
  );
  assert.equal(frame({ step: 4 }).asking, false);
});

test("a node looked at without a step brings its own line along", () => {
  const looking = frame({ step: 0, node: "w" });
  assert.deepEqual(
    [looking.inspecting, looking.node.name, looking.forwardLine, looking.backwardLines],
    [true, "w", 1, null],
  );
  assert.equal(frame({ step: 0, node: "nobody" }).inspecting, false);
});

test("a sum over a copied axis is a collapse of the product", () => {
  const scene = sceneOf(frame({ step: 4 }));
  const sum = scene.rows[0].at(-1);
  assert.deepEqual(motionOf(frame({ step: 4 }), scene)?.kinds, ["collapse"]);
  assert.ok(sum?.type === "sum" && sum.down && sum.from.label === "x * dy" && sum.result.label === "dw");
  assert.match(scene.spoken, /x \(2, 3\) ⊙ dy \(2, 3\) = x \* dy \(2, 3\) summed over axis 0 gives dw \(3,\)/);
});

test("a second path is added to what the first one left", () => {
  const scene = sceneOf(frame({ step: 5 }));
  assert.deepEqual(motionOf(frame({ step: 5 }), scene)?.kinds, ["add"]);
  assert.equal(scene.rows.length, 1);
  const shown = scene.rows[0].map((item) =>
    item.type === "tensor" ? [...item.tensor.data] : item.type === "sign" && item.text,
  );
  assert.deepEqual(shown, [[5, 7, 9], "+", [0], "·", [1, -1, 2], "=", [5, 7, 9]]);
});

test("an operand that was copied is drawn with its copies", () => {
  const [first] = sceneOf(frame({ step: 6 })).rows[0];
  assert.ok(first.type === "tensor");
  assert.deepEqual(first.stretch, [2, 3]);
  const forward = sceneOf(frame({ step: 0 })).rows[0];
  assert.deepEqual(
    forward.map((item) => (item.type === "sign" ? item.text : item.type === "tensor" && item.label)),
    ["x", "⊙", "w", "=", "y"],
  );
});

test("the live region says where one is and what happened", () => {
  assert.equal(announcement(frame({ step: 6 })), "Backward, step 7 of 7: gradient of x, 2 by 3, exact. So it is.");
  assert.equal(announcement(frame({ step: 4, predict: true })), "Backward, step 5 of 7: Which line gives dw?");
  assert.equal(gist(walk.steps[1]), "All of it.");
  const told = (/** @type {string[][]} */ ...kinds) =>
    gist(/** @type {any} */ ({ direction: "backward", explanation: kinds.map(([kind, text]) => ({ kind, text })) }));
  assert.equal(
    told(
      ["broadcast", "One `b` was used twice. So it sums."],
      ["lesson", "The mean takes it away. The true gradient is zero."],
    ),
    "One `b` was used twice. The mean takes it away. The true gradient is zero.",
    "a lesson's insight is heard too",
  );
  assert.equal(
    told(["local", "It passes."], ["broadcast", "**Why?** One `b` was used twice. So it sums."]),
    "One `b` was used twice. So it sums.",
    "without one, the whole reason is",
  );
  assert.equal(
    told(["lesson", "The mean takes it away. It is zero."], ["local", "So it is."]),
    "The mean takes it away. It is zero.",
    "and once",
  );
});
