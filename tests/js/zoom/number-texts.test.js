import assert from "node:assert/strict";
import { test } from "node:test";
import { Tensor } from "../../../static/js/shared/tensor.js";
import { csvOf, numpyOf } from "../../../static/js/zoom/number-texts.js";

/** @param {Float32Array|Float64Array|Int32Array} numbers @param {"f4"|"f8"|"i4"} dtype @param {string} shape */
function tensorOf(numbers, dtype, shape) {
  return new Tensor({ dtype, shape, bdata: Buffer.from(numbers.buffer).toString("base64") });
}

const drawn = Float32Array.from({ length: 600 }, (_, i) => Math.sin(i * 7919) * 10 ** ((i % 60) - 30));

test("numbers are read back to the very bit", () => {
  const read = csvOf(tensorOf(drawn, "f4", "20, 30"))
    .trim()
    .split("\n");
  assert.deepEqual(
    read.map((line) => line.split(",").length),
    new Array(20).fill(30),
  );
  assert.deepEqual(Float32Array.from(read.flatMap((line) => line.split(",").map(Number))), drawn);
});

test("Python gets its shape, its type, and what is not finite", () => {
  const strange = tensorOf(new Float64Array([0.1, NaN, -Infinity, -0]), "f8", "2, 2");
  assert.equal(numpyOf(strange, "p"), "p = np.array([[0.1, np.nan],\n [-np.inf, -0.0]], dtype=np.float64)\n");
  assert.equal(csvOf(strange), "0.1,nan\n-inf,-0.0\n");
  assert.equal(numpyOf(tensorOf(new Int32Array([4, 5]), "i4", "2"), "y"), "y = np.array([4, 5], dtype=np.int64)\n");
  assert.equal(numpyOf(tensorOf(new Float32Array([2]), "f4", ""), "loss"), "loss = np.array(2, dtype=np.float32)\n");
});
