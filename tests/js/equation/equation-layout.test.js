import assert from "node:assert/strict";
import { test } from "node:test";
import { boxOf, namesWrap, spread, unitOf, withSecondLine } from "../../../static/js/equation/equation-layout.js";

test("one unit for a whole equation, and nothing wider than the room", () => {
  const piece = (/** @type {number[]} */ shape) =>
    /** @type {any} */ ({ type: "tensor", label: "t", shape, stretch: null });
  const room = {
    width: 600,
    most: 600,
    height: 150,
    sign: 40,
    slot: 78,
    thin: 12,
    cell: /** @type {[number, number]} */ ([58, 30]),
  };
  const row = [
    piece([32, 64]),
    { type: "sign", text: "⊙", words: "" },
    piece([32, 64]),
    { type: "sign", text: "=", words: "" },
    piece([32, 1]),
  ];
  const unit = unitOf(/** @type {any} */ (row), room);
  const boxes = [
    [32, 64],
    [32, 64],
    [32, 1],
  ].map(([rows, cols]) => boxOf({ rows, cols }, unit, room.thin));
  assert.ok(boxes.reduce((sum, box) => sum + box.width, 80) <= 600);
  assert.equal(boxes[0].height, boxes[2].height);
  assert.ok(boxes[0].height <= 150 && boxes[2].width === 12);
});

test("a name wider than its tensor takes a second line, and the picture gives it up", () => {
  const piece = (/** @type {string} */ label) =>
    /** @type {any} */ ({ type: "tensor", label, shape: [32, 27], stretch: null });
  const room = {
    width: 190,
    most: 190,
    height: 150,
    sign: 40,
    slot: 78,
    thin: 12,
    cell: /** @type {[number, number]} */ ([58, 30]),
    wraps: false,
    names: 0,
  };
  const row = ["counts", "dprobs", "counts * dprobs"].map(piece);
  const wide = { ...room, width: 900, most: 900 };
  assert.equal(namesWrap(row, unitOf(row, room), room), true);
  assert.equal(namesWrap(row, unitOf(row, wide), wide), false);
  assert.ok(unitOf(row, withSecondLine(wide)).y < unitOf(row, wide).y);
});

test("names beside a picture that would touch give way to both sides, and the others stay", () => {
  assert.deepEqual(spread([80, 6, 9], 13), [80, 1, 14]);
  assert.deepEqual(spread([10, 30], 13), [10, 30]);
  assert.deepEqual(spread([10, 12, 14, 40], 13), [-1, 12, 25, 40]);
  assert.deepEqual(spread([10, 12, 26], 13), [3, 16, 29]);
  assert.deepEqual(spread([], 13), []);
});
