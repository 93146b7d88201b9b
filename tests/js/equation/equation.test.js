import assert from "node:assert/strict";
import { test } from "node:test";
import { backwardScene } from "../../../static/js/equation/equation.js";
import { stretchTo } from "../../../static/js/equation/items.js";
import { byShape, decision } from "../../../static/js/explanation/candidates-view.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk, wire } from "../document.js";
import { textsOf } from "./texts.js";

/**
 * @param {number} index @param {(step: any, document: any) => void} [change]
 * @returns {import("../../../static/js/equation/equation.js").Scene}
 */
function sceneOf(index, change = () => undefined) {
  const document = smallWalk();
  change(document.steps[index], document);
  const walk = new Walk(document);
  return backwardScene(walk, /** @type {any} */ (walk.steps[index]));
}

/** @param {import("../../../static/js/equation/equation.js").Item[]} row */
function texts(row) {
  return textsOf(row, (sum) => `Σ ${sum.words} ${sum.result.label}`);
}

/** @param {import("../../../static/js/equation/equation.js").Item} item */
function piece(item) {
  assert.ok(item.type === "tensor");
  return item;
}

test("a copy says how often it is copied, and keeps the factor before it", () => {
  assert.deepEqual(texts(sceneOf(3).rows[0]), ["dloss", "→ copied 6×", "dy"]);
  const factor = {
    role: "local",
    code: "1/6",
    node: null,
    which: null,
    shape: [],
    dims: [],
    tensor: wire([1 / 6], []),
  };
  const scene = sceneOf(3, (step) => {
    step.picture.kind = "product";
    step.picture.symbol = "·";
    step.picture.operands.unshift(factor);
  });
  assert.deepEqual(texts(scene.rows[0]), ["1/6", "·", "dloss", "→ copied 6×", "dy"]);
  assert.equal(piece(scene.rows[0][0]).role, "local derivative");
});

test("a planted line has its own operands, and what it leaves out stands struck through behind them", () => {
  const ones = { role: "ones", code: "torch.ones_like(dloss)", node: null, which: null, shape: [], dims: [] };
  const scene = sceneOf(3, (step) => {
    const [arrives] = step.picture.operands;
    Object.assign(step.picture, { kind: "copy", symbol: "", then: "" });
    step.picture.operands = [
      { ...ones, tensor: wire([1], []) },
      { ...arrives, role: "left out" },
    ];
  });
  assert.deepEqual(texts(scene.rows[0]), ["1s", "=", "dy", "without", "dloss"]);
  assert.deepEqual(
    scene.rows[0].map((item) => item.type === "tensor" && item.struck),
    [false, false, false, false, true],
  );
  assert.match(scene.spoken, /^1s \(.*dy .* without dloss/);
});

test("a result of another shape has no names of axes", () => {
  const turned = sceneOf(3, (step) => (step.contribution = wire([1, 2, 3, 4, 5, 6], [6, 1])));
  assert.deepEqual(piece(turned.rows[0][2]).dims, []);
  assert.notDeepEqual(piece(sceneOf(3).rows[0][2]).dims, []);
});

test("what moves cells and turns the sign says both", () => {
  const scene = sceneOf(6, (step) => {
    Object.assign(step.picture, { kind: "copy", symbol: "−", then: "rearrange" });
    step.picture.operands.shift();
  });
  assert.deepEqual(texts(scene.rows[0]), ["−", "dy", "→ rearranged", "dx"]);
});

test("what a line adds stands in one row with what was there before", () => {
  const [row] = sceneOf(5).rows;
  assert.deepEqual(texts(row), ["dw", "+", "0.0", "·", "w", "=", "dw"]);
  const [before, , factor, , other, , after] = row.map((item) => (item.type === "tensor" ? [...item.tensor.data] : []));
  assert.deepEqual(
    before.map((cell, i) => cell + factor[0] * other[i]),
    after,
  );
});

test("what is taken away is drawn with a minus", () => {
  const scene = sceneOf(5, (step) => {
    Object.assign(step, { mode: "-=" });
    Object.assign(step.picture, { kind: "copy", symbol: "−" });
    step.picture.operands.shift();
  });
  assert.deepEqual(texts(scene.rows[0]), ["dw", "−", "w", "=", "dw"]);
});

test("what is summed before it is added stands in brackets, under the name of the code", () => {
  const scene = sceneOf(5, (step, document) => {
    step.picture = document.steps[4].picture;
    document.nodes[2].variable = "y_2";
  });
  assert.deepEqual(texts(scene.rows[0]), ["dw", "+ (", "x", "⊙", "dy", "=", "Σ axis 0 this path", ") =", "dw"]);
  assert.equal(scene.rows.length, 1);
  const sum = scene.rows[0][6];
  assert.ok(sum.type === "sum" && sum.result.role === "what y_2 adds");
});

test("an unknown rule shows what arrives and claims nothing", () => {
  const scene = sceneOf(6, (step) => {
    Object.assign(step.picture, { kind: "other", symbol: "" });
    step.picture.operands.shift();
  });
  assert.deepEqual(texts(scene.rows[0]), ["dy", "→", "dx"]);
});

test("a large tensor is captioned with its own shape and its own largest number, not with its blocks'", () => {
  const scene = sceneOf(6, (step) => {
    const blocks = {
      block: [5, 1],
      shape: "2, 3",
      mean: wire([0, 0, 0, 0, 1, 0], [2, 3]).bdata,
      min: wire([-4, 0, 0, 0, 0, 0], [2, 3]).bdata,
      max: wire([3, 0, 0, 0, 1, 0], [2, 3]).bdata,
    };
    step.contribution = { dtype: "f4", shape: "10, 3", pooled: blocks };
  });
  const result = piece(scene.rows[0][4]);
  assert.deepEqual(
    [result.shape, result.tensor.largest, result.tensor.stats.maxAbs, result.tensor.block],
    [[10, 3], 4, 1, [5, 1]],
  );
});

test("a shape is copied only where it reaches the goal", () => {
  assert.deepEqual(stretchTo([1, 3], [2, 3]), [2, 3]);
  assert.equal(stretchTo([2], [2, 3]), null);
  assert.equal(stretchTo([2, 3], [2, 3]), null);
});

test("where several products have the right shape, shape does not decide", () => {
  const one = { code: "a @ b", left: [2, 2], right: [2, 2], result: [2, 2], fits: true, own: false, why: "" };
  const own = { ...one, code: "a @ b.T", own: true, why: "Σₖ a[i, k]·b[j, k]" };
  const not = { ...one, code: "b @ a", fits: false };
  assert.equal(
    byShape([not, own]) + decision([not, own]),
    "Of 2 orders and transposes, only `a @ b.T` has the right shape",
  );
  assert.equal(
    byShape([one, own, not]) + decision([one, own, not]),
    "2 of 3 orders and transposes have the right shape: shape alone doesn't decide. " +
      "`a @ b.T` is right: Σₖ a[i, k]·b[j, k]",
  );
});
