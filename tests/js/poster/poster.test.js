import assert from "node:assert/strict";
import { test } from "node:test";
import { UNTRIED } from "../../../static/js/practice/attempts.js";
import { begun, withAttempt } from "../../../static/js/progress/progress.js";
import { Run } from "../../../static/js/run/run.js";
import {
  LISTING,
  PAPER,
  ROW,
  answersOf,
  columnWidth,
  countsText,
  isTold,
  isWhole,
  linesOf,
  listingOf,
  placeOf,
  printedInstead,
  signatureOf,
  standOf,
} from "../../../static/js/poster/poster.js";

const task = (/** @type {string} */ name, closed = false) => ({
  ...{ target: name.slice(1), name, shape: [2], steps: [], banned: [], given: [], closed },
});
const right = (/** @type {string} */ text, /** @type {string[]} */ wrong = []) => ({
  ...{ ...UNTRIED, text, accepted: text, tries: wrong.length + 1, wrong },
  outcome: /** @type {const} */ ("right"),
});
const TASKS = [task("dy"), task("dx"), task("dx", true)];
const STEPS = withAttempt(
  withAttempt(begun("id", "A program"), TASKS[0], right("dy = 1", ["dy = 2", "dy = 3", "dy = 4", "dy = 5"])),
  TASKS[1],
  right("t = y\ndx = t * dy"),
);

test("it is offered once every gradient is written, closed forms or not", () => {
  assert.ok(!isWhole(begun("id", ""), TASKS));
  assert.ok(!isWhole(withAttempt(begun("id", ""), TASKS[0], right("dy = 1")), TASKS));
  assert.ok(isWhole(STEPS, TASKS));
  assert.ok(!isWhole(begun("id", ""), []));
});

test("the lines that are trained on are those of the steps", () => {
  const all = withAttempt(STEPS, TASKS[2], right("dx = y"));
  assert.deepEqual(answersOf(all, TASKS), { y: "dy = 1", x: "t = y\ndx = t * dy" });
});

test("wrong tries stand before the line that was right, the last three of them", () => {
  const { rows } = listingOf(STEPS, TASKS, ["x"]);
  assert.deepEqual(rows, [
    { text: "dy = 3", wrong: true, note: "" },
    { text: "dy = 4", wrong: true, note: "" },
    { text: "dy = 5", wrong: true, note: "" },
    { text: "dy = 1", wrong: false, note: "right after 5 tries" },
    { text: "t = y", wrong: false, note: "right at the first try; the printed line was run" },
    { text: "dx = t * dy", wrong: false, note: "" },
  ]);
  assert.equal(countsText(STEPS, TASKS), "2 gradients: 1 right at the first try, 1 after several tries");
});

test("however much was written, it stays on the paper", () => {
  for (const many of [10, 60, 400]) {
    const tasks = Array.from({ length: many }, (_, i) => task(`d${i}`));
    const all = tasks.reduce((done, one) => withAttempt(done, one, right(`${one.name} = ${"x".repeat(130)}`)), STEPS);
    const listing = listingOf(all, tasks, []);
    for (const i of [0, listing.rows.length - 1, listing.rows.length - (listing.left ? 0 : 1)]) {
      const { left, top } = placeOf(listing, i);
      assert.ok(top > LISTING.top && top <= LISTING.bottom, `${many}: row ${i} at ${top}`);
      assert.ok(left + columnWidth(listing.columns) <= PAPER.width - PAPER.margin + 1e-6);
    }
    assert.ok(listing.size * ROW > 8);
    assert.equal(listing.left > 0, many === 400);
  }
});

test("a long line is broken, and goes on set in", () => {
  assert.deepEqual(linesOf("a\nabcdefghij", 8), ["a", "abcdefgh", "    ij"]);
  assert.deepEqual(linesOf("dx = dy * t @ longer_name + 1", 16), ["dx = dy * t @", "    longer_name", "    + 1"]);
});

test("the network signs with its names, and says what came of the loss", () => {
  assert.deepEqual(signatureOf(null), { heading: "", names: [] });
  const run = new Run();
  run.take(
    /** @type {any} */ ({ kind: "start", steps_taken: 0, steps: 9, data: { name: "names" }, own: ["y"], lr: 1 }),
  );
  assert.deepEqual(printedInstead(TASKS, run), ["x"]);
  const losses = [
    [0, 3.3, 3.3],
    [8, 2.2, 2.4],
  ];
  run.take(/** @type {any} */ ({ kind: "report", steps_taken: 9, losses, lr: 1, step: 8 }));
  assert.equal(standOf(run), "step 9 of 9");
  run.take(/** @type {any} */ ({ kind: "status", steps_taken: 9, status: "finished", target: 9 }));
  assert.ok(!isTold(run));
  const names = ["", ..."abcdefghijkl"];
  run.take(/** @type {any} */ ({ kind: "splits", steps_taken: 9, losses: {}, accuracies: {}, names }));
  assert.deepEqual([isTold(run), standOf(run)], [true, ""]);
  const { heading, names: signed } = signatureOf(run);
  assert.equal(heading, "The loss went from 3.3 to 2.4 in 9 steps on these lines. Signed by the network:");
  assert.deepEqual(signed, [..."abcdefghij"]);
});
