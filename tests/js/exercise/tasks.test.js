import assert from "node:assert/strict";
import { test } from "node:test";
import { bannedIn, betweenOf, blanksOf } from "../../../static/js/exercise/tasks.js";

/**
 * @param {Record<string, string[]>} reads node → what its line reads
 * @param {{name: string, nodes: string[]}[]} groups
 */
function walkOf(reads, groups = []) {
  const nodes = Object.entries(reads).map(([name, inputs]) => {
    const group = groups.find((one) => one.nodes.includes(name))?.name ?? null;
    return { name, variable: name, inputs, group };
  });
  const node = (/** @type {string} */ name) => nodes.find((one) => one.name === name);
  return /** @type {any} */ ({ document: { nodes, groups, loss: { name: "loss" } }, node });
}

const NORM = { x: [], mean: ["x"], diff: ["x", "mean"], sq: ["diff"], inv: ["sq"], raw: ["diff", "inv"] };
const PROGRAM = { ...NORM, y: ["raw"], loss: ["y"] };
const given = (/** @type {string[]} */ ...names) =>
  names.map((name) => ({ name, shape: [2], gradient: name.startsWith("d") }));
const task = {
  target: "x",
  name: "dx",
  shape: [2],
  steps: [9],
  closed: true,
  given: given("x", "y", "dy", "draw", "ddiff", "dx"),
};

test("without headings a closed form leaps over all up to the last meeting of the branches", () => {
  assert.deepEqual(betweenOf(walkOf(PROGRAM), "x"), ["mean", "diff", "sq", "inv"]);
  assert.deepEqual(betweenOf(walkOf(PROGRAM), "y"), []);
});

test("with headings it leaps over the block, to the block's result", () => {
  const walk = walkOf(PROGRAM, [{ name: "Norm", nodes: ["mean", "diff", "sq", "inv", "raw", "y"] }]);
  assert.deepEqual(betweenOf(walk, "x"), ["mean", "diff", "sq", "inv", "raw"]);
});

test("a closed form is one more blank, without the gradients between", () => {
  const [steps, closed, ...rest] = blanksOf(walkOf(PROGRAM), [task]);
  assert.equal(rest.length, 0);
  assert.deepEqual([steps.closed, closed.closed], [false, true]);
  assert.deepEqual(
    steps.given.map(({ name }) => name),
    ["dx", "ddiff", "draw", "dy", "y", "x"],
  );
  assert.deepEqual(
    closed.given.map(({ name }) => name),
    ["draw", "dy", "y", "x"],
  );
});

test("a gradient from between is pointed at, a name that only looks like it is not", () => {
  const [, closed] = blanksOf(walkOf(PROGRAM), [task]);
  assert.equal(bannedIn(closed, "dx = draw * ddiffs"), null);
  const found = bannedIn(closed, "a = x\ndx = 2 * ddiff");
  assert.deepEqual(found?.where, { line: 2, column: 10, end_column: 15, text: "ddiff" });
  assert.match(found?.message ?? "", /`ddiff`.*`dx`/);
});
