import assert from "node:assert/strict";
import { test } from "node:test";
import { UNTRIED } from "../../../static/js/practice/attempts.js";
import {
  begun,
  countText,
  drillsIn,
  fileOf,
  nextTask,
  progressIn,
  summaryOf,
  withAttempt,
} from "../../../static/js/progress/progress.js";

const task = (/** @type {string} */ name, closed = false) => ({
  target: name.slice(1),
  name,
  shape: [2],
  steps: [],
  banned: [],
  given: [],
  closed,
});
const TASKS = [task("dy"), task("dw"), task("dx"), task("dx", true)];
const right = { ...UNTRIED, text: "dy = 1", accepted: "dy = 1", tries: 1, outcome: /** @type {const} */ ("right") };
const aided = { ...right, tries: 3, hints: ["rule"], mistakes: ["sign", "sign"] };

/** @returns {import("../../../static/js/progress/progress.js").Progress} */
function some() {
  return withAttempt(withAttempt(begun("id", "A program"), TASKS[0], right), TASKS[3], aided);
}

test("a file brings everything back; what is no such file brings nothing", () => {
  assert.deepEqual(progressIn(fileOf(some())), some());
  for (const text of ["", "{}", "[1]", '{"format":"gradwalk-practise","id":1}', "null"])
    assert.equal(progressIn(text), null, text);
});

test("a file holds the drills, too, and a file without any holds none", () => {
  const boxes = { deck: 2, places: { "sum.x": { box: 3, deck: 1 } } };
  assert.deepEqual(drillsIn(fileOf(some(), boxes)), boxes);
  assert.deepEqual(progressIn(fileOf(some(), boxes)), some());
  for (const text of [fileOf(some()), fileOf(some(), { deck: 3, places: {} }), "", "null", '{"drills":{"deck":1}}'])
    assert.equal(drillsIn(text), null, text);
});

test("of a file only what is of the right kind is taken", () => {
  const attempts = {
    dy: { text: 7, tries: -3, outcome: "won", hints: ["a", 1, "b", "c", "d"], mistakes: "sign" },
    dw: null,
  };
  const back = progressIn(JSON.stringify({ format: "gradwalk-practise", id: "id", title: "t", cascade: 1, attempts }));
  assert.deepEqual(back?.attempts.dy, { ...UNTRIED, hints: ["a", "b", "c"] });
  assert.deepEqual(back?.attempts.dw, UNTRIED);
  assert.equal(back?.cascade, false);
});

test("a summary counts each gradient once, the closed form as a task of its own", () => {
  const { lines, ...totals } = summaryOf(some(), TASKS);
  assert.deepEqual(totals, {
    all: 4,
    closed: 1,
    first: 1,
    tried: 0,
    hinted: 1,
    shown: 0,
    left: 2,
    kinds: [{ kind: "sign", count: 2 }],
  });
  assert.deepEqual(
    lines.map(({ name, outcome }) => [name, outcome]),
    [
      ["dy", "right at the first try"],
      ["dw", "not tried"],
      ["dx", "not tried"],
      ["dx in closed form", "right after 1 hint"],
    ],
  );
  assert.equal(countText(some(), TASKS), "1 of 3 gradients written");
});

test("the next gradient is the next one that is not written, round to the first", () => {
  assert.equal(nextTask(some(), TASKS, TASKS[0]), TASKS[1]);
  assert.equal(nextTask(some(), TASKS, TASKS[2]), TASKS[1]);
  assert.equal(nextTask(begun("id", ""), TASKS, null), TASKS[0]);
  const all = TASKS.reduce((progress, one) => withAttempt(progress, one, right), begun("id", ""));
  assert.equal(nextTask(all, TASKS, TASKS[1]), null);
});
