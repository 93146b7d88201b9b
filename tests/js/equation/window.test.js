import assert from "node:assert/strict";
import { test } from "node:test";
import { backwardScene } from "../../../static/js/equation/equation.js";
import { rectsOf, withWindow } from "../../../static/js/equation/window.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk, wire } from "../document.js";

test("cells side by side and below each other are one rectangle, and a row ends where the sheet does", () => {
  assert.deepEqual(rectsOf([7, 8, 12, 13], 5), [{ at: 7, cells: 2, rows: 2 }]);
  assert.deepEqual(rectsOf([4, 5], 5), [
    { at: 4, cells: 1, rows: 1 },
    { at: 5, cells: 1, rows: 1 },
  ]);
  assert.deepEqual(rectsOf(new Set([13, 2, 1, 12, 11]), 10), [
    { at: 1, cells: 2, rows: 1 },
    { at: 11, cells: 3, rows: 1 },
  ]);
  assert.deepEqual(rectsOf([], 3), []);
  assert.deepEqual(
    rectsOf([0, 2, 4, 6], 2, 2).map(({ at, rows }) => [at, rows]),
    [
      [0, 2],
      [4, 2],
    ],
  );
});

/**
 * A row of six that a kernel of two slid along: what reaches each place of it comes back from the five places.
 * @param {import("../../../static/js/walk/pick.js").Pick|null} pick
 */
function slid(pick) {
  const document = smallWalk();
  const step = /** @type {any} */ (document.steps[3]);
  const node = /** @type {any} */ (document.nodes.find(({ name }) => name === step.node));
  const [kernel, arrives] = [
    {
      ...step.picture.operands[0],
      code: "w",
      role: "local",
      node: null,
      which: null,
      shape: [2],
      tensor: wire([1, 2], [2]),
    },
    { ...step.picture.operands[0], code: "dz", role: "arrives", node: null, which: null, shape: [5] },
  ];
  arrives.tensor = wire([1, 2, 3, 4, 5], [5]);
  Object.assign(step.picture, { kind: "convolution", symbol: "∗", then: "", operands: [kernel, arrives] });
  const shape = node.shape.length === 2 ? node.shape : [2, 3];
  const [rows, cols] = shape;
  step.cells = [
    {
      of: "result",
      index: ["i", "j"],
      sizes: { i: rows, j: cols, k: 2 },
      reads: [
        {
          of: "operand 1",
          at: [`${cols} * i + j - k`],
          where: [`${cols} * i + j - k >= 0 and ${cols} * i + j - k < 5`],
          apart: [],
        },
        { of: "operand 0", at: ["k"], where: [], apart: [] },
      ],
    },
  ];
  const walk = new Walk(document);
  const frame = /** @type {any} */ ({ walk, step, node, pick, inspecting: false });
  return withWindow(frame, backwardScene(walk, step));
}

test("the kernel lies over the patch of the middle cell, or of the one that is picked", () => {
  const marks = (/** @type {any} */ scene) =>
    scene.rows[0].flatMap((/** @type {any} */ item) => (item.type === "tensor" ? [item.marks] : []));
  const [kernel, arrives, result] = marks(slid(null));
  assert.equal(kernel[0].cells, 2);
  assert.equal(result[0].cells, 1);
  const picked = marks(slid({ tensor: "y", which: "gradient", index: [0, 2] }));
  assert.deepEqual(picked[2], [{ at: 2, cells: 1, rows: 1, text: "" }]);
  assert.deepEqual(picked[1], [{ at: 1, cells: 2, rows: 1, text: "" }]);
  assert.notDeepEqual(picked[1], arrives);
});
