import assert from "node:assert/strict";
import { test } from "node:test";
import { boxOf, unitOf } from "../../../static/js/equation/equation-layout.js";

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
