import assert from "node:assert/strict";
import { test } from "node:test";
import { barOver, cellWidth, measureOf } from "../../../static/js/tug-of-war/board.js";

const LAPTOP = { width: 1440, height: 900, scale: 1 };
const desk = { projector: false, open: false };

test("few rows are higher, many are lower, and none is too low to be told apart", () => {
  const heights = [4, 12, 32, 64, 1000].map((rows) => measureOf(rows, desk, LAPTOP, 300).row);
  assert.deepEqual(
    [...heights].sort((a, b) => b - a),
    heights,
  );
  assert.equal(heights[0], 28);
  assert.equal(heights[4], 3);
});

test("in a low window, and beside an open number, the board takes the room that is left", () => {
  const low = measureOf(32, desk, { ...LAPTOP, height: 768 }, 300);
  assert.ok(low.row * 32 + low.head <= 194 + 1e-9);
  const open = measureOf(32, { ...desk, open: true }, LAPTOP, 160);
  assert.ok(open.row * 32 + open.head <= 160 + 38 - 8 + 1e-9);
});

test("on a projector only the head grows with the page's letters, and nothing stands beside the rows", () => {
  const hall = measureOf(32, { projector: true, open: false }, { ...LAPTOP, height: 400, scale: 2 }, 300);
  assert.deepEqual([hall.gutter, hall.head, hall.type, hall.row], [0, 56, 42, 18.6]);
});

test("cells are as wide as a letter where there is room, and never vanish", () => {
  const measure = measureOf(32, desk, LAPTOP, 300);
  assert.equal(cellWidth(measure, 10, 2000, 1), 18);
  assert.equal(cellWidth(measure, 27, measure.gutter + 270, 1), 10);
  assert.equal(cellWidth(measure, 500, 300, 1), 4);
});

test("the frame of a row leaves out the names where they are too low to stand there", () => {
  const row = 12;
  const measure = { gutter: 68, head: 15, type: 10, named: 5, pitch: 15 };
  assert.equal(barOver({ ...measure, row }, 2), "left:0px;top:37.5px;height:15px");
  assert.equal(barOver({ ...measure, row: 4 }, 0), "left:65px;top:13.5px;height:7px");
});
