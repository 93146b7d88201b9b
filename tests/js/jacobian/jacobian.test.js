import assert from "node:assert/strict";
import { test } from "node:test";
import { frameOf } from "../../../static/js/walk/frame.js";
import {
  blockNames,
  blocksWords,
  cellBeside,
  hasJacobian,
  heldIndex,
  holds,
  partialText,
  partialWords,
  questionOf,
  sideNames,
  sideTitle,
  waysOf,
} from "../../../static/js/jacobian/jacobian.js";
import { Predictions } from "../../../static/js/quiz/predictions.js";
import { fitJacobian } from "../../../static/js/jacobian/jacobian-layout.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";
import { calm } from "../state.js";

/** @param {object} state @param {any} [document] */
function frame(state, document = smallWalk()) {
  return frameOf(new Walk(document), { ...calm, ...state }, new Predictions());
}

test("a backward step through a line has a Jacobian, a forward step or an open question has none", () => {
  assert.equal(hasJacobian(frame({ step: 6 })), true);
  assert.equal(hasJacobian(frame({ step: 0 })), false);
  assert.equal(hasJacobian(frame({ step: 2 })), false);
  assert.equal(hasJacobian(frame({ step: 4, predict: true })), false);
  assert.equal(hasJacobian(frame({ step: 6, node: "w" })), false);
});

test("it is asked for around the picked cell, be it of the input or of what it goes into", () => {
  const about = { node: "y", input: "x" };
  assert.deepEqual(questionOf(frame({ step: 6 })), { ...about, tensor: "x", cell: [0, 0] });
  assert.deepEqual(questionOf(frame({ step: 6, cell: [1, 2] })), { ...about, tensor: "x", cell: [1, 2] });
  assert.deepEqual(questionOf(frame({ step: 6, cell: [1, 2], tensor: "y" })), { ...about, tensor: "y", cell: [1, 2] });
  assert.deepEqual(questionOf(frame({ step: 6, cell: [900, 1] })), { ...about, tensor: "x", cell: [0, 0] });
  assert.deepEqual(questionOf(frame({ step: 6, cell: [1], tensor: "w" })), { ...about, tensor: "x", cell: [0, 0] });
});

/** @type {any} of the weights' third class: dy[:, 2] by dw[2] */
const block = {
  along: [[1, 0]],
  at: [2],
  apart: true,
  rows: { shape: [2], dims: ["example"], fixed: [null, 2] },
  columns: { shape: [], dims: [], fixed: [2] },
};

test("a block holds for all cells of its entry, in either tensor", () => {
  const [inW, inY] = [
    { node: "y", input: "w", tensor: "w" },
    { node: "y", input: "w", tensor: "y" },
  ];
  assert.equal(holds(block, { ...inW, cell: [2] }), true);
  assert.equal(holds(block, { ...inW, cell: [1] }), false);
  assert.equal(holds(block, { ...inY, cell: [1, 2] }), true);
  assert.equal(holds(block, { ...inY, cell: [2, 1] }), false);
  assert.equal(holds({ ...block, along: [], at: [] }, { ...inW, cell: [1] }), true, "the whole holds for all");
});

test("a block is told with how many there are, and the next one follows the last", () => {
  const at = frame({ step: 4 });
  assert.deepEqual(blockNames(at, block), ["class 2"]);
  assert.equal(
    blocksWords(at, block),
    "Each class of `y` depends on the same class of `w` alone: 3 blocks, zeros elsewhere.",
  );
  assert.equal(blocksWords(at, { ...block, apart: false }), "", "nothing is said of the rest where it is not zero");
  assert.equal(blocksWords(at, { ...block, along: [], at: [] }), "");
  assert.deepEqual([cellBeside(at, block, 1), cellBeside(at, block, -1)], [[0], [1]]);
  const both = {
    ...block,
    along: /** @type {[number, number][]} */ ([
      [0, 0],
      [1, 1],
    ]),
    at: [0, 2],
  };
  assert.deepEqual(cellBeside(frame({ step: 6 }), both, 1), [1, 0]);
  assert.equal(
    blocksWords(frame({ step: 6 }), both),
    "Each example and each class of `y` depends on the same example and the same class of `x` alone: 6 blocks, " +
      "zeros elsewhere.",
  );
  const unnamed = smallWalk();
  unnamed.nodes.forEach((/** @type {any} */ node) => (node.dims = node.dims.map((_, axis) => `axis ${axis}`)));
  assert.match(
    blocksWords(frame({ step: 4 }, unnamed), block),
    /^Each entry of axis 1 of `y` depends on the same entry of axis 0 of `w` alone: 3 blocks/,
  );
  assert.deepEqual(
    [
      heldIndex(block.rows),
      heldIndex(block.columns),
      heldIndex({ shape: [3], dims: ["class"], fixed: [4, null] }),
      heldIndex({ shape: [3], dims: [""], fixed: [null] }),
    ],
    ["[:, 2]", "[2]", "[4]", ""],
  );
});

test("where more than one axis will do, each is offered, and the whole where it is small", () => {
  const at = frame({ step: 6 });
  /** @type {any} */
  const answer = {
    ...block,
    ways: [
      [0, 0],
      [1, 1],
    ],
    along: [[1, 1]],
    small: false,
  };
  assert.deepEqual(waysOf(at, answer), [
    { along: [0, 0], text: "example", now: false },
    { along: [1, 1], text: "class", now: true },
  ]);
  assert.deepEqual(waysOf(at, { ...answer, ways: [[1, 1]] }), [], "nothing to choose");
  assert.deepEqual(
    waysOf(at, { ...answer, along: [], small: true }).map(({ text, now }) => [text, now]),
    [
      ["whole", true],
      ["example", false],
      ["class", false],
    ],
  );
  assert.deepEqual(questionOf(at, [1, 1]).along, [1, 1]);
  assert.ok(!("along" in questionOf(at)), "the server chooses where nobody has");
});

/** @type {any} */
const jacobian = {
  rows: { shape: [2], dims: ["class"], fixed: [3, null] },
  columns: { shape: [2, 2], dims: ["place", "class"], fixed: [3, null, null] },
};
const labels = { class: [".", "a"] };

test("a cell of it is named by what moves and by what it moves with", () => {
  assert.equal(partialText(jacobian, ["probs", "counts"], 1, 3), "∂probs[3, 1] / ∂counts[3, 1, 1]");
  assert.equal(partialText(block, ["y", "w"], 1, 0), "∂y[1, 2] / ∂w[2]");
  const scalar = { shape: [], dims: [], fixed: [] };
  assert.equal(
    partialText(
      { ...jacobian, rows: scalar, columns: { ...jacobian.columns, shape: [1, 2, 2], fixed: [null, null, null] } },
      ["loss", "h"],
      0,
      1,
    ),
    "∂loss / ∂h[0, 0, 1]",
  );
  assert.equal(partialWords(labels, jacobian, 1, 2), "class a by place 1, class .");
  assert.deepEqual(sideNames(labels, jacobian.columns), ["0·.", "0·a", "1·.", "1·a"]);
  assert.deepEqual(sideNames(labels, scalar), [""]);
  const kept = { shape: [2, 1], dims: ["class", "place"], fixed: [null, null] };
  assert.deepEqual(
    [sideNames(labels, kept), sideTitle(kept)],
    [[".", "a"], "class"],
    "an axis of one cell has nothing to say",
  );
});

test("vectors and matrix share their columns' width, and stand below each other where that is too fine", () => {
  const room = {
    width: 590,
    high: 170,
    sign: 34,
    gutter: 20,
    thin: 14,
    cell: /** @type {[number, number]} */ ([58, 24]),
    slots: /** @type {[number, number, number]} */ ([64, 84, 64]),
  };
  const square = fitJacobian(27, 27, room);
  assert.ok(!square.stacked && 27 * (2 * square.x + square.across) + 2 * 34 + 20 <= 590 && square.bar >= 14);
  assert.ok(fitJacobian(3, 3, room).x > 50 && fitJacobian(3, 3, room).y === 24);
  const thin = fitJacobian(27, 1, { ...room, slots: [64, 150, 150] });
  assert.ok(!thin.stacked && 27 * thin.across + 300 + 68 <= 590.1);
  assert.ok(fitJacobian(200, 200, room).stacked);
  assert.ok(fitJacobian(27, 27, { ...room, width: 360 }).stacked);
});
