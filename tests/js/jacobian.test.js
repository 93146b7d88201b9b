import assert from "node:assert/strict";
import { test } from "node:test";
import { frameOf } from "../../static/js/model/frame.js";
import { exampleOf, hasJacobian, partialText, partialWords, questionOf, sideNames, sideTitle, tooLargeWords } from "../../static/js/model/jacobian.js";
import { Predictions } from "../../static/js/model/predict.js";
import { fitProduct } from "../../static/js/model/product.js";
import { Walk } from "../../static/js/model/walk.js";
import { smallWalk } from "./document.js";

const calm = { lesson: "small", seed: null, step: 0, node: null, cell: null, of: null, tensor: null, path: null, trail: [], exact: false, predict: false, view: null, playing: false, speed: 4, projector: false, theme: /** @type {const} */ ("light") };

/** @param {object} state @param {any} [document] */
function frame(state, document = smallWalk()) {
  return frameOf(new Walk(document), { ...calm, ...state }, new Predictions());
}

/** @returns {any} the small walk with so many examples that a whole Jacobian would be too large */
function largeWalk() {
  const document = smallWalk();
  for (const node of document.nodes) if (node.shape.length === 2) node.shape = [64, 3];
  return document;
}

test("a backward step through a line has a Jacobian, a forward step or an open question has none", () => {
  assert.equal(hasJacobian(frame({ step: 6 })), true);
  assert.equal(hasJacobian(frame({ step: 0 })), false);
  assert.equal(hasJacobian(frame({ step: 2 })), false);
  assert.equal(hasJacobian(frame({ step: 4, predict: true })), false);
  assert.equal(hasJacobian(frame({ step: 6, node: "w" })), false);
});

test("it is asked for whole while it is small, then for the example of the picked cell", () => {
  assert.deepEqual(questionOf(frame({ step: 6 })), { node: "y", input: "x" });
  assert.deepEqual(questionOf(frame({ step: 6, cell: [5, 1] }, largeWalk())), { node: "y", input: "x", example: 5 });
  assert.deepEqual(questionOf(frame({ step: 6, cell: [7, 1], tensor: "y" }, largeWalk())), { node: "y", input: "x", example: 7 });
  assert.deepEqual(questionOf(frame({ step: 6, cell: [900, 1] }, largeWalk())), { node: "y", input: "x", example: 0 });
  assert.deepEqual(questionOf(frame({ step: 4 }, largeWalk())), { node: "y", input: "w" });
  assert.equal(exampleOf(frame({ step: 6, cell: [1, 0], tensor: "w" })), 0);
});

test("one that is too large is not asked for, and why is said", () => {
  const document = smallWalk();
  document.nodes.find((/** @type {any} */ node) => node.name === "w").shape = [50000];
  assert.match(tooLargeWords(frame({ step: 4 }, document)), /6 rows and 50,000 columns.*share no examples/);
  assert.equal(tooLargeWords(frame({ step: 6 }, largeWalk())), "");
  assert.match(tooLargeWords(frame({ step: 4 }, (() => {
    const tall = smallWalk();
    tall.nodes.find((/** @type {any} */ node) => node.name === "y").shape = [300];
    return tall;
  })())), /300 rows/);
});

/** @type {any} */
const jacobian = { example: 3, rows: { shape: [2], dims: ["class"] }, columns: { shape: [2, 2], dims: ["place", "class"] } };
const labels = { class: [".", "a"] };

test("a cell of it is named by what moves and by what it moves with", () => {
  assert.equal(partialText(jacobian, ["probs", "counts"], 1, 3), "∂probs[3, 1] / ∂counts[3, 1, 1]");
  assert.equal(partialText({ ...jacobian, example: null, rows: { shape: [], dims: [] } }, ["loss", "h"], 0, 1), "∂loss / ∂h[0, 1]");
  assert.equal(partialWords(labels, jacobian, 1, 2), "class a by place 1, class .");
  assert.deepEqual(sideNames(labels, jacobian.columns), ["0·.", "0·a", "1·.", "1·a"]);
  assert.deepEqual(sideNames(labels, { shape: [], dims: [] }), [""]);
  const kept = { shape: [2, 1], dims: ["class", "place"] };
  assert.deepEqual([sideNames(labels, kept), sideTitle(kept)], [[".", "a"], "class"], "an axis of one cell has nothing to say");
});

test("vectors and matrix share their columns' width, and stand below each other where that is too fine", () => {
  const room = { width: 590, high: 170, sign: 34, gutter: 20, thin: 14, cell: /** @type {[number, number]} */ ([58, 24]), slots: /** @type {[number, number, number]} */ ([64, 84, 64]) };
  const square = fitProduct(27, 27, room);
  assert.ok(!square.stacked && 27 * (2 * square.x + square.across) + 2 * 34 + 20 <= 590 && square.bar >= 14);
  assert.ok(fitProduct(3, 3, room).x > 50 && fitProduct(3, 3, room).y === 24);
  const thin = fitProduct(27, 1, { ...room, slots: [64, 150, 150] });
  assert.ok(!thin.stacked && 27 * thin.across + 300 + 68 <= 590.1);
  assert.ok(fitProduct(200, 200, room).stacked);
  assert.ok(fitProduct(27, 27, { ...room, width: 360 }).stacked);
});
