import assert from "node:assert/strict";
import { test } from "node:test";
import { Asked } from "../../../static/js/training/asked.js";
import { Run } from "../../../static/js/run/run.js";

const SUBJECT = { lesson: "makemore-mlp", hash: "", run: "", settings: {}, projector: false };
const NAMES = { wordList: true, trainedOn: "own" };

/** @param {object} [settings] that the address says @param {Run[]} [runs] */
const asked = (settings = {}, runs = []) => new Asked({ ...SUBJECT, settings: { ...settings } }, NAMES, () => runs);

test("the fields begin as the address says them, and the address says only what is unusual", () => {
  assert.deepEqual(asked().said, {});
  const other = asked({ steps: "500", optimiser: "adam", nonsense: "1" });
  assert.deepEqual([other.fields.steps, other.fields.optimiser], ["500", "adam"]);
  assert.equal(other.said.steps, "500");
  assert.equal(other.said.nonsense, undefined);
  assert.deepEqual(asked(other.said).fields, other.fields, "an address leads back to the same fields");
  other.fields = { ...other.fields, steps: "-1" };
  assert.equal(other.mistake?.field, "steps");
});

test("a run on other data than the word list takes the sizes of the lesson away", () => {
  assert.ok(asked().drawn);
  const run = new Run();
  const start = (/** @type {string} */ name) => (run.start = /** @type {any} */ ({ data: { name } }));
  start("digits");
  assert.ok(!asked({}, [run]).drawn);
  start("names");
  assert.ok(asked({}, [run]).drawn);
});

test("one run has no name, two are told apart", () => {
  assert.deepEqual(asked({}, [new Run()]).names, [""]);
  assert.deepEqual(asked({}, [new Run(), new Run()]).names, ["first run", "second run"]);
  const names = asked({ beside: "lines" }, [new Run(), new Run()]).names;
  assert.equal(new Set(names).size, 2);
});

test("what a run says of itself is what the form shows; the second run's is shown beside it", () => {
  const told = /** @type {any} */ ({ optimiser: { name: "momentum" }, schedule: { name: "constant", lr: 0.5 } });
  const one = asked();
  one.hear(0, told);
  assert.deepEqual([one.fields.optimiser, one.fields.lr], ["momentum", "0.5"]);
  const two = asked();
  two.fields = { ...two.fields, beside: "optimiser" };
  two.hear(1, told);
  assert.deepEqual([two.fields.besideOptimiser, two.fields.besideRate], ["momentum", "0.5"]);
  assert.equal(two.fields.optimiser, "sgd");
});

test("a run that is being begun is no empty page", () => {
  const one = asked();
  assert.equal(one.status, "empty");
  one.starting = true;
  assert.equal(one.status, "starting");
});
