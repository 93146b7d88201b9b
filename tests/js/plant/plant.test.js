import assert from "node:assert/strict";
import { test } from "node:test";
import { curvesOf, pathWords } from "../../../static/js/plant/plant.js";

const PATH = { rate: 0.1, losses: [3, 2.9, 2.8], right: [3, 2.5, 2], stopped: "" };

/** @param {string} path @returns {number[][]} the points of an SVG path */
const points = (path) => [...path.matchAll(/[ML]([-\d.]+) ([-\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);

test("where both ways lead, in one sentence with its numbers", () => {
  const start = "In 2 steps at learning rate 0.1, `loss` goes from **3.000** to";
  assert.equal(pathWords(PATH, "loss"), `${start} **2.800** with the mistake, to **2.000** without.`);
  assert.equal(
    pathWords({ ...PATH, losses: [3, 2, 2.00001] }, "loss"),
    `${start} **2.000**, with the mistake or without.`,
  );
  assert.match(pathWords({ ...PATH, losses: [3, 2, 1.5] }, "loss"), /even gets further down\.$/);
  assert.match(pathWords({ ...PATH, losses: [3, "NaN", "NaN"] }, "loss"), /to \*\*NaN\*\* with the mistake, to/);
});

test("where no step can be made the reason comes first", () => {
  const stopped = "No step can be made: `dC` could not be computed.";
  assert.equal(
    pathWords({ ...PATH, losses: [3], stopped }, "loss"),
    `${stopped} In 2 steps at learning rate 0.1, the right gradient takes \`loss\` from **3.000** to **2.000**.`,
  );
});

test("both curves begin in one place, and the lower loss lies lower", () => {
  const { wrong, right, least, greatest } = curvesOf(PATH, 100, 50);
  const [mine, best] = [points(wrong), points(right)];
  assert.deepEqual(mine[0], best[0]);
  assert.deepEqual([mine.length, best.length], [3, 3]);
  assert.equal(mine[2][0], 100);
  assert.ok(mine[2][1] < best[2][1]);
  assert.ok(least < 2 && greatest > 3);
});

test("what climbs too high leaves the picture, and the right way stays readable", () => {
  const { wrong, right, greatest } = curvesOf({ ...PATH, losses: [3, 50, 1e6] }, 100, 50);
  assert.ok(greatest < 5, String(greatest));
  assert.ok(points(wrong)[2][1] < 0);
  assert.ok(points(right).every(([, y]) => y >= 0 && y <= 50));
});

test("a curve ends where the loss is no number", () => {
  const { wrong } = curvesOf({ ...PATH, losses: [3, "NaN", 2] }, 100, 50);
  assert.equal(points(wrong).length, 1);
});
