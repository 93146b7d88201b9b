import assert from "node:assert/strict";
import { test } from "node:test";
import { rowsOf } from "../../../static/js/graph/graph-rows.js";
import { dotLook, isWalked, miniGraphOf } from "../../../static/js/graph/mini-graph.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";
import { batchnorm, drawnAtRandom } from "./programs.js";

test("a line stands to the right of all lines before it, within the picture, and every way joins two dots", () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    const { width, height, dots, ways } = miniGraphOf(rowsOf(drawnAtRandom(seed)));
    for (const [i, { x, y }] of dots.entries()) {
      assert.ok(x > (dots[i - 1]?.x ?? 0) && x < width && y > 0 && y < height, `seed ${seed}: dot ${i}`);
    }
    for (const { from, to, path } of ways) {
      const [start, end] = [from, to].map((name) => dots.find((dot) => dot.name === name));
      assert.ok(start && end && start.x < end.x);
      assert.ok(
        path.startsWith(`M${start.x} ${start.y}C`) && path.endsWith(` ${end.x} ${end.y}`),
        `seed ${seed}: ${path}`,
      );
    }
  }
});

test("a band behind each group holds its dots and no others", () => {
  const { bands, dots } = miniGraphOf(rowsOf(batchnorm));
  assert.equal(bands.length, 1);
  const [{ left, width }] = bands;
  assert.deepEqual(
    dots.filter(({ x }) => x > left && x < left + width).map(({ name }) => name),
    ["mean", "centred", "squares", "variance", "scaled", "output"],
  );
});

test("one line is where the step is, also where a given tensor gets its gradient; values first, then gradients", () => {
  const walk = new Walk(smallWalk());
  const looks = walk.steps.map((step) =>
    ["y", "loss"].map((name) => dotLook(name, /** @type {any} */ ({ walk, step, known: step.index }))),
  );
  assert.deepEqual(looks, [
    ["valued now", "ahead"],
    ["valued", "valued now"],
    ["valued", "flowed now"],
    ["flowed now", "flowed"],
    ["flowed now", "flowed"],
    ["flowed now", "flowed"],
    ["flowed now", "flowed"],
  ]);
  const way = { from: "y", to: "loss" };
  assert.deepEqual(
    walk.steps.map((step) => isWalked(way, /** @type {any} */ ({ step }))),
    [false, true, false, true, false, false, false],
  );
});
