import assert from "node:assert/strict";
import { test } from "node:test";
import { holdsText, Names } from "../../../static/js/names/names.js";
import { Predictions } from "../../../static/js/quiz/predictions.js";
import { Tensor } from "../../../static/js/shared/tensor.js";
import { frameOf } from "../../../static/js/walk/frame.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk, wire } from "../document.js";
import { calm } from "../state.js";

const walk = new Walk(/** @type {any} */ (smallWalk()));
const at = (/** @type {object} */ state) => frameOf(walk, { ...calm, ...state }, new Predictions());

test("every tensor answers with its shape, and with its numbers once they are computed", () => {
  const names = new Names(walk);
  const last = at({ step: walk.steps.length - 1 });
  for (const node of walk.nodes.values()) {
    const known = names.known(`name ${node.name}`, last);
    assert.equal(known.shape.replace(/[(),]/g, "").trim(), node.shape.join(" "));
    assert.notEqual(known.holds, "not yet computed");
  }
  const first = names.known("name loss", at({ step: 0 }));
  assert.equal(first.holds, "not yet computed");
  assert.equal(first.tensor, null);
});

test("a gradient is not told before it is computed, nor while the question is whether there is one already", () => {
  const names = new Names(walk);
  const step = walk.steps.find((one) => one.direction === "backward" && one.node === "y");
  assert.ok(step);
  assert.equal(names.known("gradient y", at({ step: step.index - 1 })).holds, "not yet computed");
  assert.notEqual(names.known("gradient y", at({ step: step.index })).holds, "not yet computed");
  const asked = { ...at({ step: step.index }), hidesPaths: true };
  assert.equal(names.known("gradient y", asked).holds, "not yet computed");
});

test("a plain number says what it is", () => {
  const known = new Names(walk).known("constant n", at({ step: 0 }));
  assert.deepEqual([known.title, known.holds, known.what], ["n", "2", "plain number"]);
});

test("lines that make a name and those that use it are told apart, and hidden ones are not told", () => {
  const names = new Names(walk);
  const all = names.known("name y", at({ step: 0 }));
  assert.deepEqual(
    all.made.map((row) => row.number),
    [walk.node("y").line],
  );
  assert.ok(all.used.every((row) => row.text.includes("y")));
  const hidden = names.known("gradient y", at({ step: 2, predict: true }));
  assert.deepEqual([hidden.made, hidden.used], [[], []]);
});

test("a few numbers are all told, many by their ends", () => {
  const holds = (/** @type {number[]} */ values) => holdsText(new Tensor(wire(values, [values.length])));
  assert.equal(holds([1, -2]), "1, −2");
  assert.equal(holds([1, 5, -2, 3, 4]), "−2 to 5");
  assert.equal(holds([3, 3, 3, 3, 3]), "all 3");
  assert.equal(holds([1, 2, 3, 4, NaN]), "1 not finite");
});
