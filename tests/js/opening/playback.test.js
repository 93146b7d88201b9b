import assert from "node:assert/strict";
import { test } from "node:test";
import { Playback } from "../../../static/js/opening/playback.js";

const moments = /** @type {any[]} */ (
  [2, 3, 1].map((seconds) => ({ seconds, front: [0, 1], back: [2, 2], taken: [0, 0] }))
);

test("it plays to its end and stops there; played again it begins anew", () => {
  const playback = new Playback(moments);
  playback.playFrom(0);
  for (let i = 0; i < 100; i += 1) playback.advance(0.1);
  assert.deepEqual([playback.playing, playback.over, playback.at], [false, true, 2]);
  playback.toggle();
  assert.deepEqual([playback.playing, playback.time], [true, 0]);
});

test("a pause stays where it is, and a step shows a moment whole and stays", () => {
  const playback = new Playback(moments);
  playback.playFrom(1);
  playback.advance(1);
  playback.toggle();
  playback.advance(1);
  assert.deepEqual([playback.playing, playback.time], [false, 3]);
  playback.stepTo(99);
  assert.deepEqual([playback.at, playback.playing, playback.over], [2, false, false]);
  playback.stepTo(-1);
  assert.equal(playback.at, 0);
});
