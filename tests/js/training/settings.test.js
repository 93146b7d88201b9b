import assert from "node:assert/strict";
import { test } from "node:test";
import { OPTIMISERS } from "../../../static/js/training/options.js";
import {
  fieldsInUse,
  fieldsOf,
  mistakeIn,
  runRequest,
  setCommand,
  unusual,
  usualFields,
} from "../../../static/js/training/settings.js";

const DRAWN = usualFields(true);
const lr = OPTIMISERS.sgd.rate;

test("a run is asked for with what means something, and the walk's numbers stay as they are written", () => {
  const body = runRequest('{"dtype":"float32","source":"y = 1.50"}', { ...DRAWN, seed: "7" }, true, true);
  assert.match(body, /^\{"walk":\{"dtype":"float32","source":"y = 1\.50"\},/);
  assert.deepEqual(JSON.parse(body), {
    walk: { dtype: "float32", source: "y = 1.50" },
    steps: 200000,
    seed: 7,
    batch: 32,
    sizes: { hidden: 200 },
    optimiser: { name: "sgd" },
    schedule: { name: "step", lr, factor: 0.1, every: 100000 },
    lines: "printed",
    paused: true,
  });
  const own = JSON.parse(runRequest("{}", { ...usualFields(false), clip: "norm", limit: "2" }, false, false));
  assert.deepEqual([own.batch, own.sizes, own.seed], [undefined, undefined, undefined]);
  assert.deepEqual(own.schedule, { name: "constant", lr });
  assert.deepEqual(own.clip, { by: "norm", limit: 2 });
});

test("a program of one's own draws minibatches of a data set where it is asked to", () => {
  const own = usualFields(false);
  const drawing = JSON.parse(runRequest("{}", { ...own, data: "digits", batch: "64", seed: "5" }, false, false));
  assert.deepEqual([drawing.data, drawing.batch, drawing.seed, drawing.sizes], ["digits", 64, 5, undefined]);
  const still = JSON.parse(runRequest("{}", { ...own, seed: "5" }, false, false));
  assert.deepEqual([still.data, still.batch, still.seed], ["own", undefined, undefined]);
  assert.deepEqual(fieldsInUse(own, false).slice(0, 3), ["steps", "data", "lines"]);
});

test("what a lesson is usually trained on is chosen, and its own tensors only where a reader says so", () => {
  const digits = usualFields(false, "digits");
  assert.deepEqual(unusual(digits, false, "digits"), {});
  assert.deepEqual(unusual({ ...digits, data: "own" }, false, "digits"), { data: "own" });
  assert.equal(JSON.parse(runRequest("{}", { ...digits, data: "own" }, false, false)).data, "own");
});

test("a cosine ends with the run", () => {
  const { schedule } = JSON.parse(runRequest("{}", { ...DRAWN, schedule: "cosine", steps: "500" }, true, false));
  assert.deepEqual(schedule, { name: "cosine", lr, warmup: 100, total: 500 });
});

test("to clip no more is said in so many words", () => {
  assert.deepEqual(setCommand(DRAWN), { schedule: { name: "step", lr, factor: 0.1, every: 100000 }, unclipped: true });
  assert.deepEqual(/** @type {any} */ (setCommand({ ...DRAWN, clip: "loss" })).clip, { by: "loss", limit: 1 });
});

test("only what is in use can be mistaken, and the sentence says what would do", () => {
  assert.equal(mistakeIn(DRAWN, true), null);
  assert.equal(mistakeIn({ ...DRAWN, data: "own", batch: "x" }, false), null);
  assert.equal(mistakeIn({ ...DRAWN, data: "digits", batch: "x" }, false)?.field, "batch");
  assert.deepEqual(mistakeIn({ ...DRAWN, batch: "1" }, true), {
    field: "batch",
    message: "The batch must be a whole number from 2 to 1,024.",
  });
  assert.equal(mistakeIn({ ...DRAWN, lr: "-1" }, true)?.message, "The learning rate must be a number 0 or more.");
  assert.equal(mistakeIn({ ...DRAWN, limit: "0" }, true), null);
  assert.equal(mistakeIn({ ...DRAWN, clip: "norm", limit: "0" }, true)?.field, "limit");
  assert.equal(mistakeIn({ ...DRAWN, steps: "1.5" }, true)?.field, "steps");
  assert.equal(mistakeIn({ ...DRAWN, seed: "" }, true), null);
  assert.equal(fieldsInUse({ ...DRAWN, schedule: "cosine" }, true).includes("every"), false);
});

test("what a run tells of itself fills the form as it was sent", () => {
  const told = {
    optimiser: { name: "adam" },
    schedule: { name: "warmupcosine", lr: 0.01, warmup: 5 },
    clip: { by: "norm", limit: 0.5 },
    lr: 0.01,
    steps: 30,
    seed: 9,
    lines: "autograd",
    data: { batch: 8 },
    parameters: { W2: [64, 27] },
  };
  const fields = fieldsOf(DRAWN, told);
  assert.deepEqual(fields, {
    ...DRAWN,
    ...{ steps: "30", seed: "9", lines: "autograd", batch: "8", hidden: "64", optimiser: "adam" },
    ...{ lr: "0.01", schedule: "cosine", warmup: "5", clip: "norm", limit: "0.5" },
  });
  assert.equal(fieldsOf(fields, { ...told, clip: null }).clip, "none");
});
