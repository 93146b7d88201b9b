import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesText, costWords, savedWords, stepOf, totalsOf } from "../../../static/js/ending/costs.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";
/** @typedef {import("../../../static/js/lens/types.js").LineCost} LineCost */

/** @param {Partial<LineCost>} line @returns {LineCost} */
const line = (line) => ({
  ...{ code: "", direction: "forward", multiply_adds: 0, kept: 0, freed_by: "", made: "", held: 0 },
  ...line,
});
const KEPT = {
  again: [],
  lines: [
    line({ code: "h = x @ W", multiply_adds: 1200, made: "h" }),
    line({ code: "t = h.tanh()", made: "t", kept: 8192, freed_by: "dh = (1 - t**2) * dt", held: 8192 }),
    line({ code: "dh = (1 - t**2) * dt", direction: "backward" }),
    line({ code: "dW = x.T @ dh", direction: "backward", multiply_adds: 2400 }),
  ],
};
const AGAIN = {
  again: ["t"],
  lines: [
    line({ code: "h = x @ W", multiply_adds: 1200, made: "h" }),
    line({ code: "t = h.tanh()", made: "t" }),
    line({ code: "h = x @ W", direction: "again", multiply_adds: 1200, made: "h" }),
    line({ code: "t = h.tanh()", direction: "again", made: "t", held: 4096 }),
    line({ code: "dh = (1 - t**2) * dt", direction: "backward" }),
    line({ code: "dW = x.T @ dh", direction: "backward", multiply_adds: 2400 }),
  ],
};

test("the passes' multiply-adds, and what is kept between them", () => {
  const { most, ...rest } = totalsOf(KEPT);
  assert.deepEqual(rest, { forward: 1200, again: 0, backward: 2400, kept: 8192 });
  assert.equal(most.code, "t = h.tanh()");
  assert.equal(
    costWords(KEPT),
    "The forward pass takes 1,200 multiply-adds, the backward pass 2,400: twice as many. 8.19 kB are kept for the " +
      "backward pass: what a forward line makes and a backward line reads.",
  );
  assert.match(costWords({ again: [], lines: [line({})] }), /^No line sums products.* Nothing is kept/);
});

test("what it saves to compute a tensor again, and what that takes", () => {
  assert.equal(savedWords(KEPT, KEPT), "");
  assert.equal(
    savedWords(AGAIN, KEPT),
    "With `t` computed again, at most 4.1 kB are held at once, where it was 8.19 kB, and " +
      "1,200 multiply-adds are added.",
  );
});

test("a line leads to its own step, one that is computed again to the step that computed it first", () => {
  const walk = new Walk(smallWalk());
  walk.steps.forEach(({ code, direction }, index) => assert.equal(stepOf(walk, line({ code, direction })), index));
  assert.equal(stepOf(walk, line({ code: walk.steps[0].code, direction: "again" })), 0);
  assert.equal(stepOf(walk, line({ code: "nothing = 1" })), -1);
});

test("bytes are said in the unit that keeps them short", () => {
  assert.deepEqual([0, 999, 1000, 8192, 5e6].map(bytesText), ["0 bytes", "999 bytes", "1 kB", "8.19 kB", "5 MB"]);
});
