import assert from "node:assert/strict";
import { test } from "node:test";
import { isNothing, lacking, receive } from "../../../static/js/walk/parts.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";

const COLUMNS = ["manual", "autograd", "difference"];
const UNUSED = ["arrives", "math", "cells", "candidates"]; // what the small walk hasn't
const LATER = [...UNUSED, "contribution", "picture", "question", "accumulated"];

/** @param {any} from @param {string[]} names @returns {any} it without these */
const without = (from, names) => Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)));

/** The small walk as it comes at first. */
function nearWalk() {
  const document = smallWalk();
  for (const node of document.nodes) if (node.gradient) node.gradient = without(node.gradient, COLUMNS);
  document.steps = document.steps.map((/** @type {any} */ step) => without(step, LATER));
  return new Walk(document);
}

/** What the server has of one step. @param {any} step */
const partOf = ({ direction, picture, contribution, accumulated }) =>
  direction === "forward"
    ? { picture }
    : { picture, contribution: contribution.bdata === accumulated.bdata ? null : contribution };

/** @param {Walk} walk @param {import("../../../static/js/walk/parts.js").Lack} lack */
function answer(walk, lack) {
  const whole = new Walk(smallWalk());
  receive(
    walk,
    /** @type {any} */ ({
      parts: Object.fromEntries(lack.steps.map((index) => [index, partOf(whole.steps[index])])),
      gradients: lack.gradients ? whole.steps.slice(2).map((/** @type {any} */ step) => step.accumulated) : null,
      judged: Object.fromEntries(lack.judged.map((name) => [name, null])),
      questions: lack.questions ? whole.steps.slice(2).map((/** @type {any} */ step) => step.question) : null,
    }),
  );
}

test("on the way forward only the step's own part is missing", () => {
  assert.deepEqual(lacking(nearWalk(), [0], null, false), {
    steps: [0],
    judged: [],
    gradients: false,
    questions: false,
  });
});

test("on the way back its gradient and what autograd says of it are, too; of a tensor beside it likewise", () => {
  assert.deepEqual(lacking(nearWalk(), [4], "x", true), {
    steps: [4],
    judged: ["w", "x"],
    gradients: true,
    questions: true,
  });
});

test("once all has come, the walk is what it would have been at once", () => {
  const walk = nearWalk();
  const every = walk.steps.map((step) => step.index);
  answer(walk, lacking(walk, every, "x", true));
  assert.ok(isNothing(lacking(walk, every, "x", true)));
  const whole = new Walk(smallWalk());
  for (const { index } of whole.steps) {
    const [made, meant] = [walk.steps[index], whole.steps[index]];
    assert.deepEqual(without(made, UNUSED), without(meant, UNUSED));
  }
  for (const name of ["x", "w", "y", "loss"]) assert.deepEqual(walk.node(name).gradient, whole.node(name).gradient);
});

test("a gradient is drawn only once it has come", () => {
  const walk = nearWalk();
  assert.equal(walk.gradientAt("w", 5).tensor, null);
  answer(walk, lacking(walk, [5], null, false));
  assert.deepEqual([...(walk.gradientAt("w", 5).tensor?.data ?? [])], [5, 7, 9]);
});

test("what equals the gradient takes its place whichever comes first", () => {
  const walk = nearWalk();
  answer(walk, { steps: [6], judged: [], gradients: false, questions: false });
  answer(walk, { steps: [], judged: ["x"], gradients: true, questions: false });
  const step = /** @type {import("../../../static/js/walk/types.js").BackwardStep} */ (walk.steps[6]);
  assert.equal(step.contribution, step.accumulated);
  assert.equal(walk.node("x").gradient?.autograd, step.accumulated);
  assert.deepEqual([...walk.tensor(/** @type {any} */ (walk.node("x").gradient).difference).data], [0, 0, 0, 0, 0, 0]);
});

test("a walk that came whole lacks nothing, and what was left out of it is filled in", () => {
  const document = smallWalk();
  for (const node of document.nodes) node.gradient = without(node.gradient, COLUMNS);
  document.steps[6].contribution = null;
  const walk = new Walk(document);
  assert.ok(isNothing(lacking(walk, [0, 4, 6], "x", true)));
  const whole = new Walk(smallWalk());
  assert.deepEqual(walk.node("w").gradient, whole.node("w").gradient);
  assert.deepEqual(walk.steps[6], whole.steps[6]);
});
