import assert from "node:assert/strict";
import { test } from "node:test";
import { curveOf, geometryOf, pointAt } from "../../../static/js/opening/geometry.js";
import { sceneOf } from "../../../static/js/opening/scene.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";

const scene = sceneOf(new Walk(smallWalk()), new Map());

test("every tensor lies in the picture, in one row or two", () => {
  for (const [width, height] of [
    [390, 440],
    [768, 600],
    [1280, 430],
    [1920, 640],
  ]) {
    const { tiles, bars, narrow } = geometryOf(scene, { width, height });
    assert.equal(tiles.size, scene.tiles.length);
    assert.equal(narrow, width < 900);
    for (const { x, y, size } of tiles.values()) {
      assert.ok(x - size / 2 >= 0 && x + size / 2 <= width, `${width}: ${x}`);
      assert.ok(y - size / 2 >= 0 && y + size / 2 <= bars.y, `${width}: ${y}`);
    }
    assert.ok(bars.y + bars.height <= height);
  }
});

test("a curve begins and ends at its tensors", () => {
  const [from, to] = [
    { x: 10, y: 20 },
    { x: 90, y: 70 },
  ];
  const curve = curveOf(from, to);
  assert.deepEqual([pointAt(curve, 0), pointAt(curve, 1)], [from, to]);
});
