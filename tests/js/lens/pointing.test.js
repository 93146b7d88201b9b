import assert from "node:assert/strict";
import { test } from "node:test";
import { answerOf, partsOf, tipOf, tipPlace } from "../../../static/js/lens/pointing.js";
import { frameOf } from "../../../static/js/walk/frame.js";
import { Predictions } from "../../../static/js/quiz/predictions.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";
import { calm } from "../state.js";

const READS = /** @type {Record<number, any[]>} */ ({
  0: [reads("result", ["i", "j"], { i: 2, j: 3 }, { x: ["i", "j"], w: ["j"] })],
  4: [
    reads("product", ["i", "j"], { i: 2, j: 3 }, { "operand 0": ["i", "j"], "operand 1": ["i", "j"] }),
    reads("result", ["j"], { i: 2, j: 3 }, { product: ["i", "j"] }),
  ],
});

/**
 * @param {string} of @param {string[]} index @param {Record<string, number>} sizes
 * @param {Record<string, string[]>} at
 */
function reads(of, index, sizes, at) {
  return {
    of,
    index,
    sizes,
    reads: Object.entries(at).map(([name, place]) => ({ of: name, at: place, where: [], apart: [] })),
  };
}

/** @param {number} step @param {string|null} [node] */
function frameAt(step, node = null) {
  const document = smallWalk();
  for (const [index, cells] of Object.entries(READS)) document.steps[Number(index)].cells = cells;
  return frameOf(new Walk(document), { ...calm, step, node }, new Predictions());
}

/** @param {import("../../../static/js/walk/frame.js").Frame} frame @param {string} name @param {any} of */
function sheetOf({ walk }, name, of = "value") {
  const node = walk.node(name);
  const wire = of === "value" ? node.value : /** @type {any} */ (node.gradient).manual;
  return { tensor: walk.tensor(wire), subject: { tensor: name, of }, name };
}

test("a forward cell answers in its inputs, and they in it", () => {
  const frame = frameAt(0);
  const [x, w, y] = ["x", "w", "y"].map((name) => sheetOf(frame, name));
  const answer = answerOf(frame, y, [1, 2]);
  assert.deepEqual([...answer.cellsIn(x)], [5]);
  assert.deepEqual([...answer.cellsIn(w)], [2]);
  assert.deepEqual([...answer.cellsIn(y)], [5]);
  const copied = answerOf(frame, w, [1]);
  assert.deepEqual([...copied.cellsIn(y)], [1, 4], "it was copied to both rows");
  assert.deepEqual(copied.named.map(({ node }) => node).sort(), ["w", "w", "x", "y"]);
});

test("a sum answers through the product that is summed", () => {
  const frame = frameAt(4);
  const step = /** @type {any} */ (frame.step);
  const product = { tensor: frame.walk.tensor(step.picture.product.tensor), subject: null, name: "x * dy" };
  const result = { tensor: frame.walk.tensor(step.contribution), subject: null, name: "dw" };
  const own = { ...result, subject: { tensor: "w", of: /** @type {const} */ ("gradient") } };
  const answer = answerOf(frame, own, [2]);
  assert.deepEqual([...answer.cellsIn(product)], [2, 5]);
  assert.deepEqual([...answer.cellsIn(sheetOf(frame, "y", "gradient"))], [2, 5]);
  assert.deepEqual([...answerOf(frame, product, [0, 1]).cellsIn(own)], [1]);
});

test("beside the equation a value is the tensor itself, inside it a factor", () => {
  const frame = frameAt(5);
  const inside = sheetOf(frame, "w");
  assert.deepEqual(partsOf(frame, inside), ["operand 1"]);
  const { name, ...beside } = inside;
  assert.equal(name, "w");
  assert.deepEqual(partsOf(frame, beside), ["result"]);
});

test("another tensor that is looked at answers with its own cell", () => {
  const frame = frameAt(0, "x");
  const x = sheetOf(frame, "x");
  const answer = answerOf(frame, x, [0, 1]);
  assert.deepEqual([...answer.cellsIn(x)], [1]);
  assert.deepEqual([...answer.cellsIn(sheetOf(frame, "y"))], []);
});

test("what stands beside the pointer", () => {
  const frame = frameAt(4);
  const sheet = sheetOf(frame, "y", "gradient");
  assert.deepEqual(tipOf(frame, sheet, [1, 0]), {
    name: "dy[1, 0]",
    number: "1",
    place: "example .ab → c (1), class a (0)",
    beside: "",
  });
  const other = { title: "autograd", tensor: sheet.tensor };
  const tip = tipOf(frame, { ...sheet, kind: "so far", beside: [other] }, [1, 0]);
  assert.equal(tip.beside, "autograd 1");
  assert.equal(tip.place, "so far · example .ab → c (1), class a (0)");
  const product = { tensor: sheet.tensor, subject: null, name: "x * dy", dims: ["example", "axis 1"] };
  assert.equal(tipOf(frame, product, [1, 2]).name, "(x * dy)[1, 2]");
  assert.equal(tipOf(frame, product, [1, 2]).place, "example .ab → c (1)");
});

test("the tip stays in the window and never stands under the pointer", () => {
  const pane = { width: 400, height: 300 };
  const tip = { width: 150, height: 40 };
  for (let x = 0; x <= pane.width; x += 20) {
    for (let y = 0; y <= pane.height; y += 20) {
      const { left, top } = tipPlace({ x, y }, tip, pane);
      assert.ok(left >= 0 && top >= 0 && left + tip.width <= pane.width && top + tip.height <= pane.height);
      assert.ok(x < left || x > left + tip.width || y < top || y > top + tip.height, `${x}, ${y}`);
    }
  }
});
