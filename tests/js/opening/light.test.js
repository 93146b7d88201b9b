import assert from "node:assert/strict";
import { test } from "node:test";
import { alongOf, brightness, lengthOf, lightAt, startOf, stillOf, swing } from "../../../static/js/opening/light.js";

const moments = /** @type {any[]} */ ([
  { seconds: 2, front: [0, 4], back: [9, 9], taken: [0, 0] },
  { seconds: 3, front: [4, 4], back: [9, 1], taken: [0, 0] },
  { seconds: 1, front: [4, 4], back: [1, 1], taken: [0, 2] },
]);

test("the light goes forward, then back, then downhill, and never turns within a moment", () => {
  assert.equal(lengthOf(moments), 6);
  assert.equal(startOf(moments, 2), 5);
  let before = lightAt(moments, 0);
  assert.deepEqual([before.front, before.back, before.taken, before.at], [0, 9, 0, 0]);
  for (let time = 0; time <= 7; time += 0.05) {
    const light = lightAt(moments, time);
    assert.ok(light.front >= before.front && light.back <= before.back && light.taken >= before.taken);
    assert.ok(light.at >= before.at);
    before = light;
  }
  assert.deepEqual([before.front, before.back, before.taken, before.at], [4, 1, 2, 2]);
});

test("a still shows all that its moment has brought", () => {
  const shown = moments.map((_, i) => lightAt(moments, stillOf(moments, i)));
  assert.deepEqual(
    shown.map(({ front, back, taken, at }) => [front, back, taken, at]),
    [
      [4, 9, 0, 0],
      [4, 1, 0, 1],
      [4, 1, 2, 2],
    ],
  );
});

test("a gradient of none, or of next to none, is dark; each power of ten is as much less light", () => {
  assert.equal(brightness(0, 5), 0);
  assert.equal(brightness(1e-9, 5), 0);
  assert.equal(brightness(5, 5), 1);
  assert.ok(Math.abs(brightness(0.05, 5) - 0.5) < 1e-9);
  assert.equal(brightness(NaN, 5), 0);
});

test("a pulse is on its link between the columns of its ends, either way", () => {
  assert.deepEqual(
    [3, 4, 5, 6].map((wave) => alongOf(wave, 4, 6)),
    [-0.5, 0, 0.5, 1],
  );
  assert.deepEqual(
    [6, 5, 4].map((wave) => alongOf(wave, 6, 4)),
    [-0, 0.5, 1],
  );
  assert.deepEqual([0, 0.25, 0.5, 0.75, 1].map(swing), [1, 0, -1, 0, 1]);
});
