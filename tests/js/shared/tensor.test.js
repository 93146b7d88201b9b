import assert from "node:assert/strict";
import { test } from "node:test";
import { Tensor, decode, gridOf, parseShape, ravel, unravel } from "../../../static/js/shared/tensor.js";
import { wire } from "../document.js";

test("a tensor is decoded to the very numbers that were sent", () => {
  const tensor = new Tensor(wire([1.5, -2, 0, 4], [2, 2]));
  assert.deepEqual([...tensor.data], [1.5, -2, 0, 4]);
  assert.equal(tensor.at([1, 1]), 4);
  assert.equal(tensor.at([2, 0]), undefined);
});

test("whole numbers and masks keep their type", () => {
  const ints = Buffer.from(new Uint8Array(new Int32Array([7, -3]).buffer)).toString("base64");
  assert.deepEqual([...new Tensor({ dtype: "i4", shape: "2", bdata: ints }).data], [7, -3]);
  assert.deepEqual(
    [...new Tensor({ dtype: "u1", shape: "2", bdata: Buffer.from([1, 0]).toString("base64") }).data],
    [1, 0],
  );
});

test("cells that are not finite are counted and kept out of the scale", () => {
  const { maxAbs, broken, rms } = new Tensor(wire([3, NaN, -4, Infinity], [4])).stats;
  assert.deepEqual([maxAbs, broken], [4, 2]);
  assert.ok(Math.abs(rms - Math.sqrt(12.5)) < 1e-9);
});

test("tensors of any number of axes lie on a sheet in their own order", () => {
  assert.deepEqual(gridOf([]), { rows: 1, cols: 1, block: 0 });
  assert.deepEqual(gridOf([5]), { rows: 1, cols: 5, block: 0 });
  assert.deepEqual(gridOf([32, 3, 10]), { rows: 32, cols: 30, block: 10 });
  assert.deepEqual(gridOf([2, 3, 4, 5]), { rows: 24, cols: 5, block: 0 });
});

test("positions go there and back", () => {
  for (const shape of [[4], [2, 3], [2, 3, 4]]) {
    const size = shape.reduce((a, b) => a * b, 1);
    for (let flat = 0; flat < size; flat += 1) assert.equal(ravel(shape, unravel(shape, flat)), flat);
  }
  assert.equal(ravel([2, 3], [0, 3]), -1);
  assert.equal(ravel([2, 3], [0]), -1);
  assert.deepEqual(parseShape(""), []);
});

test("a walk in float64 keeps all of its digits, and a tile has three faces", () => {
  const base64 = (/** @type {ArrayBufferView} */ view) => Buffer.from(view.buffer).toString("base64");
  assert.deepEqual(
    [...new Tensor({ dtype: "f8", shape: "2", bdata: base64(new Float64Array([0.1, -1e-300])) }).data],
    [0.1, -1e-300],
  );
  const [mean, min, max] = [
    [1, 2],
    [0, -1],
    [3, 4],
  ].map((values) => base64(new Float32Array(values)));
  const tile = {
    dtype: /** @type {const} */ ("f4"),
    shape: "4, 8",
    bdata: "",
    pooled: { block: [4, 4], shape: "1, 2", mean, min, max },
  };
  assert.deepEqual([...new Tensor(tile).data], [1, 2]);
  assert.deepEqual([...decode(tile, "min")], [0, -1]);
  assert.deepEqual([...decode(tile, "max")], [3, 4]);
});
