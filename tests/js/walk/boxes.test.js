import assert from "node:assert/strict";
import { test } from "node:test";
import { boxOfStep, boxesOf, distanceFor, entryOf } from "../../../static/js/walk/boxes.js";
import { program } from "../graph/programs.js";

const GROUPS = { a: "In", b: "In", c: "Middle", d: "Middle", e: "Middle", loss: "Out", f: "Out" };
/** @param {Record<string, string>} groups */
function walkOf(groups) {
  const document = program(
    { a: ["x"], b: ["a", "W"], c: ["b"], d: ["b", "c"], e: ["d", "W"], f: ["e"], loss: ["f", "y"] },
    (name) => groups[name] ?? null,
  );
  for (const node of document.nodes) node.variable = node.name;
  const names = ["a", "b", "c", "d", "e", "f", "loss"];
  const forward = names.map((node, index) => ({ direction: "forward", node, index }));
  const back = [
    { node: "loss", through: null },
    { node: "f", through: "loss" },
    { node: "e", through: "f" },
    { node: "W", through: "e" },
    { node: "d", through: "e" },
  ].map((step, i) => ({ ...step, direction: "backward", index: names.length + i }));
  const forwardIndex = new Map(names.map((name, i) => [name, i]));
  return /** @type {any} */ ({ document, steps: [...forward, ...back], forwardIndex });
}

test("lines of one group in a row are a box, which knows what it makes and what is given to it", () => {
  const boxes = boxesOf(walkOf(GROUPS).document);
  assert.deepEqual(
    boxes.map(({ name, lines, output, given }) => ({ name, lines, output, given })),
    [
      { name: "In", lines: ["a", "b"], output: "b", given: ["x", "W"] },
      { name: "Middle", lines: ["c", "d", "e"], output: "e", given: ["W"] },
      { name: "Out", lines: ["f", "loss"], output: "loss", given: ["y"] },
    ],
  );
});

test("lines without a heading are named by their first and their last", () => {
  const boxes = boxesOf(walkOf({ f: "Out", loss: "Out", e: "Out" }).document);
  assert.deepEqual(
    boxes.map(({ name }) => name),
    ["a … d", "Out"],
  );
});

test("a short program, one of one group, and one in which each line is a group of its own have no boxes", () => {
  assert.deepEqual(boxesOf(program({ a: ["x"], loss: ["a"] }, (name) => name)), []);
  assert.deepEqual(boxesOf(walkOf({}).document), []);
  const { document } = walkOf({ a: "1", b: "2", c: "3", d: "4", e: "5", f: "6", loss: "7" });
  assert.deepEqual(boxesOf(document), []);
  assert.equal(distanceFor(document, { distance: "boxes", step: 0 }), null);
});

test("a step back is in the box of the line that it goes back through", () => {
  const walk = walkOf(GROUPS);
  const names = walk.steps.map((/** @type {any} */ step) => boxOfStep(walk, step)?.name);
  const forward = ["In", "In", "Middle", "Middle", "Middle", "Out", "Out"];
  assert.deepEqual(names, [...forward, "Out", "Out", "Out", "Middle", "Middle"]);
  const [, middle, out] = boxesOf(walk.document);
  assert.deepEqual([entryOf(walk, middle, false), entryOf(walk, middle, true), entryOf(walk, out, true)], [2, 10, 7]);
});
