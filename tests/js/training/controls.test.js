import assert from "node:assert/strict";
import { test } from "node:test";
import { goButton, partsShown } from "../../../static/js/training/controls.js";

/** @param {string} status @param {object} [more] @returns {any} */
const run = (status, more = {}) => ({
  ...{ status, taken: 3, start: {}, resumable: false, series: { points: [{}] }, diverged: null },
  alive: status === "running" || status === "paused",
  over: status === "done",
  ...more,
});

/** @param {string} status @param {any[]} runs @param {any} [shown] @returns {any} */
const page = (status, runs, shown = null) => ({ status, runs, names: [], shown });

/** @param {ReturnType<typeof page>} now */
const there = (now) => Object.entries(partsShown(now)).flatMap(([id, is]) => (is ? [id] : []));

test("the first button says what it would do", () => {
  assert.deepEqual(goButton(page("empty", [])), { sign: "play", label: "Start", disabled: false });
  assert.deepEqual(goButton(page("starting", [run("starting")])), { sign: "play", label: "Starting", disabled: true });
  assert.equal(goButton(page("running", [run("running")])).label, "Pause");
  assert.equal(goButton(page("paused", [run("paused")])).label, "Resume");
  assert.equal(goButton(page("paused", [run("paused", { taken: 0 })])).label, "Start");
  assert.equal(goButton(page("done", [run("done")])).label, "");
});

test("a lost run is begun again from its last state, if it has one", () => {
  assert.equal(goButton(page("lost", [run("lost")])).disabled, true);
  assert.equal(goButton(page("lost", [run("lost", { resumable: true })])).disabled, false);
  assert.equal(goButton(page("lost", [run("paused", { resumable: true }), run("lost")])).disabled, true);
});

test("before a run there are steps to take, and nothing to stop", () => {
  assert.deepEqual(there(page("empty", [])), ["one", "ten", "run-to-form", "curve-part"]);
  assert.deepEqual(there(page("starting", [run("starting", { taken: 0, start: null })])), ["curve-part"]);
});

test("a run that goes can be stopped, one that is over only begun again", () => {
  const going = there(page("running", [run("running")], { report: {}, run: run("running") }));
  for (const id of ["one", "stop", "restart", "new-run", "walk-step", "instruments", "bar"])
    assert.ok(going.includes(id));
  const over = there(page("done", [run("done")], { report: {}, run: run("done") }));
  for (const id of ["one", "stop"]) assert.ok(!over.includes(id), id);
  for (const id of ["restart", "new-run"]) assert.ok(over.includes(id), id);
});

test("of a run that diverged at once there is no curve, but its step can be walked", () => {
  const lost = run("diverged", { series: { points: [] }, diverged: { step: 1 } });
  const shown = there(page("diverged", [lost], { report: null, run: lost }));
  assert.ok(!shown.includes("curve-part") && !shown.includes("instruments"));
  assert.ok(shown.includes("walk-step"));
  assert.ok(there(page("diverged", [lost, run("paused")])).includes("curve-part"), "its companion has one");
});
