import assert from "node:assert/strict";
import { test } from "node:test";
import { Layers, coarseness, layerOf } from "../../../static/js/zoom/layers.js";
import { Tensor } from "../../../static/js/shared/tensor.js";
import { around, cellsIn, countOf, isWhole, panned, whole, zoomed } from "../../../static/js/zoom/viewport.js";

const sheet = { rows: 1024, cols: 1024 };

test("zooming keeps the point under the pointer, and stays on the sheet", () => {
  const view = zoomed(whole(sheet), sheet, 4, { x: 0.25, y: 0.75 });
  assert.deepEqual(view, { row: 576, col: 192, rows: 256, cols: 256 });
  assert.deepEqual(zoomed(view, sheet, 1 / 64), whole(sheet));
  assert.ok(isWhole(zoomed(view, sheet, 1 / 4), sheet));
  const close = zoomed(view, sheet, 1e6, { x: 1, y: 1 });
  assert.deepEqual([close.rows, close.cols, close.row + close.rows], [6, 6, 832]);
});

test("panning ends at the rims", () => {
  const view = around(sheet, 500, 500, { rows: 100, cols: 50 });
  assert.deepEqual(cellsIn(panned(view, sheet, -1000, 3), sheet), [0, 100, 478, 529]);
  assert.equal(panned(view, sheet, 0, 9999).col, 974);
  assert.deepEqual(around(sheet, 1023, 0, { rows: 10, cols: 10 }), { row: 1014, col: 0, rows: 10, cols: 10 });
});

test("a sheet of one row or column can be zoomed along the other", () => {
  const flat = { rows: 1, cols: 5000 };
  assert.deepEqual(zoomed(whole(flat), flat, 10), { row: 0, col: 2250, rows: 1, cols: 500 });
  assert.deepEqual(cellsIn(around(flat, 0, 4999, { rows: 20, cols: 8 }), flat), [0, 1, 4992, 5000]);
});

/** @param {number} side @param {number[]} [block] @param {number[]} [pooled] */
function tensor(side, block, pooled) {
  return new Tensor({
    dtype: "f4",
    shape: `${side}, ${side}`,
    bdata: "",
    ...(block ? { pooled: { block, shape: (pooled ?? []).join(", "), mean: "", min: "", max: "" } } : {}),
  });
}

const base = layerOf([0, 1024, 0, 1024], tensor(1024, [7, 7], [147, 147]));

test("nothing is asked for while the tile will do, then a tile of the window, then every cell around", () => {
  const layers = new Layers(sheet, base);
  assert.equal(layers.wanted(whole(sheet)), null);
  assert.deepEqual(layers.wanted(around(sheet, 512, 512, { rows: 512, cols: 512 })), [256, 769, 256, 769]);
  const close = around(sheet, 512, 512, { rows: 40, cols: 40 });
  const window = /** @type {import("../../../static/js/zoom/viewport.js").Cells} */ (layers.wanted(close));
  assert.ok(countOf(window) <= 65536 && countOf(window) > 40 * 40);
  layers.add(layerOf(window, tensor(window[1] - window[0])));
  assert.equal(layers.wanted(close), null);
  assert.equal(coarseness(layers.best(close)), 1);
  assert.deepEqual(layers.wanted(around(sheet, 100, 100, { rows: 256, cols: 256 })), [0, 256, 0, 256]);
});

test("what is finer is drawn over what is coarser, the tile below them all", () => {
  const layers = new Layers(sheet, base);
  const corner = layerOf([0, 200, 0, 200], tensor(200));
  layers.add(corner);
  layers.add(layerOf([0, 512, 0, 512], tensor(512, [4, 4], [147, 147])));
  const drawn = layers.drawn(whole(sheet));
  assert.equal(drawn[0], base);
  assert.equal(drawn[2], corner);
  assert.deepEqual(layers.drawn(around(sheet, 50, 50, { rows: 20, cols: 20 })), [corner]);
  for (let i = 0; i < 20; i += 1) layers.add(corner);
  assert.equal(layers.kept.length, 8);
});
