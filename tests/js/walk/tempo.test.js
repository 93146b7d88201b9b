import assert from "node:assert/strict";
import { test } from "node:test";
import {
  USUAL_SPEED,
  countWords,
  motionTime,
  playingWords,
  speedWords,
  waitAt,
} from "../../../static/js/walk/tempo.js";

const SPEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

test("at the usual speed a step waits until its words are read, at 230 a minute", () => {
  assert.equal(waitAt(46, USUAL_SPEED), 12);
  assert.equal(waitAt(230, USUAL_SPEED), 60);
  assert.equal(waitAt(46, 1), 24);
  assert.match(speedWords(USUAL_SPEED), /reading/);
  assert.match(speedWords(1), /twice/);
});

test("at the slowest a step without a word stays for four seconds at least", () => {
  assert.ok(waitAt(0, 1) >= 4);
  assert.ok(waitAt(3, 1) >= 4);
});

test("a higher speed is a shorter beat, never a longer motion, and has words of its own", () => {
  for (const words of [0, 20, 80]) {
    for (const speed of SPEEDS.slice(1)) assert.ok(waitAt(words, speed) < waitAt(words, speed - 1));
  }
  for (const speed of SPEEDS.slice(1)) assert.ok(motionTime(speed) <= motionTime(speed - 1));
  assert.equal(new Set(SPEEDS.map(speedWords)).size, 9);
});

test("motion takes 700 milliseconds up to speed 3, and is over before the next step at any", () => {
  assert.deepEqual([1, 2, 3].map(motionTime), [700, 700, 700]);
  for (const speed of SPEEDS) assert.ok(motionTime(speed) < 1000 * waitAt(0, speed), String(speed));
});

test("words and numbers are counted, signs are not", () => {
  assert.equal(countWords("  Sum over axis 1 (class):\n27 copies → 1 · = — \n"), 8);
  assert.equal(countWords(""), 0);
});

test("how long a walk plays is told in minutes, of a long one in fives", () => {
  const steps = (/** @type {number} */ count) =>
    Array.from({ length: count }, () => ({ explanation: [{ text: "word ".repeat(55) }] }));
  assert.equal(playingWords(steps(1)), "1 min");
  assert.equal(playingWords(steps(10)), "5 min");
  assert.equal(playingWords(steps(43)), "20 min"); // 21.5
});
