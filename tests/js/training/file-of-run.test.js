import assert from "node:assert/strict";
import { test } from "node:test";
import { curveFile, parametersFile } from "../../../static/js/training/file-of-run.js";
import { Run } from "../../../static/js/run/run.js";
import { requestIn } from "../../../static/js/run/training-api.js";

test("a curve is a table by runs and steps, with what is told of examples that are not trained on", () => {
  const run = new Run();
  run.series.add(0, 3.5, 3.5);
  run.series.add(1, 2.25, 3.1);
  run.validation.push({ step: 1, loss: 3.2 });
  const head = "run,step,lowest loss,highest loss,smoothed loss,validation loss\n";
  assert.equal(curveFile([run], [""]), `${head}run,0,3.5,3.5,3.5,\nrun,1,2.25,2.25,3.1,\nrun,1,,,,3.2\n`);
  assert.match(curveFile([run, run], ["SGD", 'a "b", c']), /\nSGD,0,[^]*\n"a ""b"", c",0,3\.5,/);
});

test("the request in a step's answer is as it was written", () => {
  assert.equal(
    requestIn('{"kind":"walk","step":3,"walk":{"tensors":{"x":{"values":[1.0]}}}}'),
    '{"tensors":{"x":{"values":[1.0]}}}',
  );
});

test("parameters are a file of safetensors: a header that says where each lies, then their numbers", () => {
  const walk = {
    dtype: /** @type {const} */ ("float32"),
    tensors: {
      W: {
        role: "parameter",
        values: [
          [1.5, -2],
          [0.1, 4],
          [5, 6],
        ],
      },
      x: { role: "data", values: [7] },
      b: { role: "parameter", values: 0.25 },
    },
  };
  const file = parametersFile(walk);
  const view = new DataView(file.buffer);
  const length = Number(view.getBigUint64(0, true));
  assert.equal((8 + length) % 8, 0);
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length)));
  assert.deepEqual(header, {
    W: { dtype: "F32", shape: [3, 2], data_offsets: [0, 24] },
    b: { dtype: "F32", shape: [], data_offsets: [24, 28] },
  });
  const numbers = Array.from({ length: 7 }, (_, i) => view.getFloat32(8 + length + 4 * i, true));
  assert.deepEqual(numbers, [1.5, -2, Math.fround(0.1), 4, 5, 6, 0.25]);
  assert.equal(file.length, 8 + length + 28);
});
