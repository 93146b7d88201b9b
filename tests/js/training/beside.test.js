import assert from "node:assert/strict";
import { test } from "node:test";
import {
  besideFields,
  besideIn,
  besidePlant,
  besideRequest,
  besideText,
  changeCommand,
  runNames,
} from "../../../static/js/training/beside.js";
import { mistakeIn, unusual, usualFields, withSaid } from "../../../static/js/training/settings.js";

const USUAL = usualFields(true);
const ADAM = { ...USUAL, beside: "optimiser" };
const MISTAKE = { ...USUAL, beside: "mistake", besideStep: "24", besideMistake: "missing-sum" };

test("the second run differs from the first in one thing", () => {
  assert.equal(besideFields(USUAL), null);
  assert.equal(besideFields({ ...USUAL, beside: "lines" })?.lines, "autograd");
  assert.equal(besideFields({ ...USUAL, beside: "lines", lines: "autograd" })?.lines, "printed");
  assert.deepEqual(besideFields(ADAM), { ...ADAM, optimiser: "adam", lr: "0.001" });
  assert.deepEqual([besidePlant(MISTAKE), besidePlant(ADAM)], [{ step: 24, mistake: "missing-sum" }, null]);
});

test("a request says of the second run what differs, and so does a change of both", () => {
  const schedule = { name: "step", lr: 0.001, factor: 0.1, every: 100000 };
  assert.equal(besideRequest(USUAL), null);
  assert.deepEqual(besideRequest({ ...USUAL, beside: "lines" }), { lines: "autograd" });
  assert.deepEqual(besideRequest(ADAM), { optimiser: { name: "adam" }, schedule });
  assert.deepEqual(besideRequest(MISTAKE), { plant: { step: 24, mistake: "missing-sum" } });
  assert.deepEqual(changeCommand(ADAM), {
    ...{ schedule: { ...schedule, lr: 0.1 }, unclipped: true },
    beside: { schedule, unclipped: true },
  });
  assert.equal("beside" in changeCommand(MISTAKE), false);
});

test("a mistake of the loop is said in the request, in the address, and needs what it is about", () => {
  const loop = { ...USUAL, beside: "loop", besideLoop: "clip-after-step" };
  assert.deepEqual(besideRequest(loop), { loop: "clip-after-step" });
  assert.equal(besideText(loop), "clip-after-step");
  assert.deepEqual(besideIn("clip-after-step"), { beside: "loop", besideLoop: "clip-after-step" });
  assert.deepEqual(runNames(loop), ["right loop", "with the mistake"]);
  assert.deepEqual(mistakeIn(loop, true), {
    field: "clip",
    message: "“Clipped after the step” needs the gradient norm to be clipped.",
  });
  assert.equal(mistakeIn({ ...loop, clip: "norm" }, true), null);
  const early = { ...loop, besideLoop: "updated-too-early", clip: "norm" };
  assert.equal(mistakeIn(early, true)?.message, "“Weights updated too early” needs nothing to be clipped.");
  assert.equal(mistakeIn({ ...early, clip: "none" }, true), null);
});

test("each run has a name", () => {
  assert.deepEqual(runNames(USUAL), [""]);
  assert.deepEqual(runNames({ ...USUAL, beside: "lines" }), ["printed lines", "autograd"]);
  assert.deepEqual(runNames(ADAM), ["SGD", "Adam"]);
  assert.deepEqual(runNames({ ...ADAM, besideOptimiser: "sgd", besideRate: "0.5" }), ["rate 0.1", "rate 0.5"]);
  assert.deepEqual(runNames(MISTAKE), ["right gradients", "with the mistake"]);
});

test("an address says what is beside it, and is read as it was written", () => {
  for (const [fields, text] of /** @type {const} */ ([
    [{ ...USUAL, beside: "lines" }, "autograd"],
    [{ ...USUAL, beside: "lines", lines: "autograd" }, "printed"],
    [ADAM, "adam@0.001"],
    [MISTAKE, "25.missing-sum"],
    [USUAL, ""],
    [{ ...MISTAKE, besideMistake: "" }, ""],
  ])) {
    assert.equal(besideText(fields), text);
    assert.equal(besideText({ ...fields, beside: "none", ...besideIn(text) }), text);
  }
  assert.equal(besideIn("adam").besideRate, "0.001");
  for (const text of ["", "x", "toString", "25", "0.sign", "adamant@1"]) assert.deepEqual(besideIn(text), {}, text);
});

test("two runs that would be one are refused, and a mistake must be chosen", () => {
  assert.equal(mistakeIn(ADAM, true), null);
  assert.equal(mistakeIn({ ...ADAM, besideOptimiser: "sgd", besideRate: "0.10" }, true)?.field, "besideRate");
  assert.equal(mistakeIn({ ...ADAM, besideRate: "-1" }, true)?.field, "besideRate");
  assert.equal(mistakeIn({ ...MISTAKE, besideMistake: "" }, true)?.field, "besideMistake");
});

test("an address says only what is not usual, and what it says is taken where it is known", () => {
  assert.deepEqual(unusual(ADAM, true), {});
  const fields = { ...USUAL, batch: "8", schedule: "constant", every: "5", clip: "norm" };
  assert.deepEqual(unusual(fields, true), { batch: "8", schedule: "constant", clip: "norm" });
  assert.deepEqual(withSaid(USUAL, unusual(fields, true)), { ...fields, every: USUAL.every });
  assert.deepEqual(withSaid(USUAL, { optimiser: "x", evil: "y", beside: "autograd", toString: "z" }), USUAL);
});
