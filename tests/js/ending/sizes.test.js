import assert from "node:assert/strict";
import { test } from "node:test";
import { sizesOf, spreadWords, updateWords } from "../../../static/js/ending/sizes.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";

/**
 * @param {Record<string, any>} sizes by tensor, over those of the small walk
 * @param {Record<string, any>} [verdicts]
 */
function walkOf(sizes, verdicts = {}) {
  const document = smallWalk();
  for (const node of document.nodes) {
    if (!node.gradient) continue;
    node.role = sizes[node.name]?.role ?? "data";
    node.gradient.size = { ...node.gradient.size, ...sizes[node.name] };
    node.gradient.verdict = { ...node.gradient.verdict, ...verdicts[node.name] };
  }
  return new Walk(document);
}

test("every gradient but the loss's own, in the order of the way back, with the step that completes it", () => {
  const sizes = sizesOf(new Walk(smallWalk()));
  assert.deepEqual(
    sizes.map(({ variable, index }) => [variable, index]),
    [
      ["dy", 3],
      ["dw", 5],
      ["dx", 6],
    ],
  );
  assert.equal(sizes[0].norm, Math.hypot(1, 1, 1, 1, 1, 1));
});

test("bars stand between the smallest and the largest in powers of ten; a true zero and NaN have none", () => {
  const walk = walkOf({ x: { rms: 1e-4 }, w: { rms: 1e-2 }, y: { rms: 1 } });
  assert.deepEqual(
    sizesOf(walk).map(({ share }) => Number(share.toFixed(2))),
    [1, 0.52, 0.04],
  );
  const odd = sizesOf(walkOf({ x: { rms: "NaN" }, w: { rms: 1e-9 }, y: { rms: 1 } }, { w: { level: "zero" } }));
  assert.deepEqual(
    odd.map(({ zero, share }) => [zero, share]),
    [
      [false, 1],
      [true, 0],
      [false, 0],
    ],
  );
});

test("the spread is told by its numbers, of the parameters where there are two", () => {
  const sizes = { x: { rms: 0.1 }, w: { rms: 0.5 }, y: { rms: 1 } };
  const all = "Cell for cell, `dy` and `dx` differ by a factor of 10: of the gradients the largest and the smallest.";
  assert.equal(spreadWords(sizesOf(walkOf(sizes))), all);
  const learned = { ...sizes, x: { rms: 0.1, per_weight: 1, role: "parameter" }, w: { rms: 0.5, role: "parameter" } };
  const some = "Cell for cell, `dw` and `dx` differ by a factor of 5: of the parameters the largest and the smallest.";
  assert.equal(spreadWords(sizesOf(walkOf(learned))), some);
  const alike = { x: { rms: 1 }, w: { rms: 1.001 }, y: { rms: 1 } };
  assert.equal(spreadWords(sizesOf(walkOf(alike))), "Cell for cell, the gradients are about equally large.");
  assert.equal(spreadWords([]), "");
});

test("an update is told at the learning rate that is chosen", () => {
  assert.match(updateWords(0.1), /at learning rate 0\.1 moves a parameter/);
});
