import assert from "node:assert/strict";
import { test } from "node:test";
import { besideLine } from "../../../static/js/shared/beside-line.js";

const ROOM = { width: 400, height: 300 };
const BOX = { width: 100, height: 80 };

/** @param {number} top @param {number} bottom @param {number} [left] */
const spot = (top, bottom, left = 50) => besideLine({ top, bottom }, left, BOX, ROOM, 4);

test("a box hangs below its line", () => {
  assert.deepEqual(spot(40, 60), { left: 50, top: 64 });
  assert.equal(spot(192, 212).top, 216, "as low as it may be");
});

test("without room below it stands above, and covers the line only where there is no room at all", () => {
  assert.equal(spot(193, 213).top, 193 - 4 - 80);
  assert.equal(spot(87, 260).top, 300 - 80 - 4);
});

test("it stays in the window", () => {
  assert.equal(spot(40, 60, 390).left, 400 - 100 - 4);
  assert.equal(spot(40, 60, -90).left, 4);
});
