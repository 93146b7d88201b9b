import assert from "node:assert/strict";
import { test } from "node:test";
import { exampleWords, examplesIn } from "../../../static/js/walk/example.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";

const nodes = /** @type {any} */ ([
  { dims: ["example", "unit"], shape: [3, 2] },
  { dims: ["unit"], shape: [5] },
  { dims: [], shape: [] },
]);

test("the examples are the rows of the axis that is called so, but where a lesson tells of one of its own", () => {
  assert.equal(examplesIn({ nodes }, {}), 3);
  assert.equal(examplesIn({ nodes: nodes.slice(1) }, {}), 0);
  assert.equal(examplesIn({ nodes }, { example: 2 }), 0);
});

test("a walk has the chosen example in focus, and none that it hasn't", () => {
  const walk = new Walk({ ...smallWalk(), in_focus: { letter: 1 } });
  walk.examples = 3;
  walk.focus(2);
  assert.deepEqual(walk.document.in_focus, { letter: 1, example: 2 });
  walk.focus(3);
  assert.deepEqual(walk.document.in_focus, { letter: 1 });
  walk.focus(null);
  assert.deepEqual(walk.document.in_focus, { letter: 1 });
});

test("an example is told by its index, and by its name where it has one", () => {
  const walk = new Walk(smallWalk());
  walk.examples = 3;
  walk.document.labels = { example: ["a 7", "a 2"] };
  assert.equal(exampleWords(walk, 1), "Example 1 (0 to 2): a 2");
  assert.equal(exampleWords(walk, 2), "Example 2 (0 to 2)");
});
