import assert from "node:assert/strict";
import { test } from "node:test";
import { distributionOf } from "../../../static/js/evidence/distribution.js";
import { Tensor } from "../../../static/js/shared/tensor.js";

/** @param {number[]} numbers */
function tensorOf(numbers) {
  const bytes = new Uint8Array(new Float64Array(numbers).buffer);
  return new Tensor({ dtype: "f8", shape: String(numbers.length), bdata: Buffer.from(bytes).toString("base64") });
}

test("every number is in a bar of its height, from the least to the largest, with 0 among them", () => {
  const spread = distributionOf(tensorOf([...new Array(30).fill(2), ...new Array(10).fill(4), 1, 1, 1, 1, 1]));
  assert.ok(spread);
  assert.deepEqual([spread.least, spread.most], [0, 4]);
  const high = spread.bars.filter(({ share }) => share > 0);
  assert.deepEqual(
    high.map(({ share }) => share),
    [5 / 30, 1, 10 / 30],
  );
  assert.ok([1, 2, 4].every((value, i) => Math.abs(high[i].middle - value) <= 4 / 48));
});

test("its words are mean and standard deviation, the share of zeros, and of what lies where tanh is flat", () => {
  const words = (/** @type {number[]} */ numbers) => distributionOf(tensorOf(numbers))?.words;
  const [half, quarter] = [new Array(50).fill(0), new Array(25).fill(0.99)];
  assert.equal(
    words([...half, ...quarter, ...quarter.map((x) => -x)]),
    "100 numbers: mean 0, standard deviation 0.7, 50 % are 0, 50 % beyond ±0.97",
  );
  assert.equal(words([...half, ...half.map(() => 3)]), "100 numbers: mean 1.5, standard deviation 1.5, 50 % are 0");
});

test("what is told beside it is not said again", () => {
  const flat = tensorOf([...new Array(20).fill(0.99), ...new Array(20).fill(-0.5)]);
  assert.match(String(distributionOf(flat)?.words), /50 % beyond ±0\.97$/);
  assert.doesNotMatch(String(distributionOf(flat, "Beyond ±0.97 it is almost flat.")?.words), /beyond/);
});

test("few numbers, equal zeros and what is not finite have none", () => {
  assert.equal(distributionOf(tensorOf([1, 2, 3])), null);
  assert.equal(distributionOf(tensorOf(new Array(40).fill(0))), null);
  assert.equal(distributionOf(tensorOf([...new Array(40).fill(1), NaN])), null);
});
