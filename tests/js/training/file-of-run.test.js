import assert from "node:assert/strict";
import { test } from "node:test";
import { curveFile } from "../../../static/js/training/file-of-run.js";
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
