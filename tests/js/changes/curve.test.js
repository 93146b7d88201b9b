import assert from "node:assert/strict";
import { test } from "node:test";
import {
  moveByKey,
  moveWords,
  onCurve,
  partingWords,
  plotOf,
  promised,
  rangeOf,
  rounded,
  shareOf,
  valueAt,
} from "../../../static/js/changes/curve.js";

/** x² around 3 @type {import("../../../static/js/changes/curve.js").Curve} */
const SQUARE = {
  tensor: "x",
  index: [1],
  value: 3,
  loss: 9,
  slope: 6,
  kink: null,
  own_slope: null,
  span: 2,
  points: [1, 2, 3, 4, 5].map((value) => [value, value * value]),
};
const PLAIN = { shiftKey: false, altKey: false };
/** −ln x from 0.01 to 1 on a log axis @type {import("../../../static/js/changes/curve.js").Curve} */
const DECADES = {
  ...SQUARE,
  value: 0.1,
  loss: -Math.log(0.1),
  slope: -10,
  span: 0.2,
  within: { least: 0.01, greatest: 1, log: true },
  points: [0.01, 0.03, 0.1, 0.3, 1].map((value) => [value, -Math.log(value)]),
};

/** @param {string} path @returns {number[][]} the places that it leads through */
function placesOf(path) {
  return path
    .slice(1)
    .split("L")
    .map((pair) => pair.split(" ").map(Number));
}

test("the promise is a straight line through where the number is", () => {
  assert.equal(promised(SQUARE, 3), 9);
  assert.equal(promised(SQUARE, 3.5), 12);
  assert.deepEqual(rangeOf(SQUARE), [1, 5]);
});

test("keys move by a fiftieth of the span, coarse with Shift, fine with Alt", () => {
  assert.equal(moveByKey("ArrowRight", PLAIN, SQUARE, 3), 3.04);
  assert.equal(moveByKey("ArrowDown", PLAIN, SQUARE, 3), 2.96);
  assert.equal(moveByKey("ArrowUp", { shiftKey: true, altKey: false }, SQUARE, 3), 3.2);
  assert.equal(moveByKey("ArrowLeft", { shiftKey: false, altKey: true }, SQUARE, 3), 2.996);
  assert.deepEqual([moveByKey("Home", PLAIN, SQUARE, 3), moveByKey("End", PLAIN, SQUARE, 3)], [1, 5]);
  assert.equal(moveByKey("a", PLAIN, SQUARE, 3), null);
});

test("between two ends nothing leads out, and on a log axis each decade is as wide", () => {
  assert.deepEqual(rangeOf(DECADES), [0.01, 1]);
  assert.ok(Math.abs(shareOf(DECADES, 0.1) - 0.5) < 1e-12);
  for (const share of [0, 0.2, 0.77, 1]) assert.ok(Math.abs(shareOf(DECADES, valueAt(DECADES, share)) - share) < 1e-4);
  assert.deepEqual([valueAt(DECADES, -3), valueAt(DECADES, 2)], [0.01, 1]);
  assert.equal(moveByKey("ArrowRight", PLAIN, DECADES, 1), 1);
  const up = moveByKey("ArrowRight", PLAIN, DECADES, 0.1) ?? NaN;
  assert.ok(Math.abs(shareOf(DECADES, up) - 0.51) < 1e-4);
  const linear = { ...DECADES, within: { least: 0.01, greatest: 1, log: false } };
  assert.equal(moveByKey("ArrowLeft", { shiftKey: true, altKey: false }, linear, 0.03), 0.01);
});

test("on a log axis the promise is still that of the gradient, so its line is bent", () => {
  const plot = plotOf(DECADES, 200, 100);
  const places = placesOf(plot.tangent);
  assert.equal(places.length, DECADES.points.length);
  for (const [place, [x, y]] of places.slice(0, -1).entries()) {
    const [value] = /** @type {[number, number]} */ (DECADES.points[place]);
    assert.ok(Math.abs(x - plot.x(value)) < 0.1);
    assert.ok(Math.abs(y - plot.y(-Math.log(0.1) - 10 * (value - 0.1))) < 0.1);
  }
});

test("where a number was moved to its tangent touches the curve, and its slope is told", () => {
  const plot = plotOf(SQUARE, 100, 50);
  const [[x1, y1], [x2, y2]] = /** @type {[[number, number], [number, number]]} */ (placesOf(plot.tangentAt(4, 16, 8)));
  assert.deepEqual([x1, x2], [0, 100]);
  const at = y1 + ((y2 - y1) * (plot.x(4) - x1)) / (x2 - x1);
  assert.ok(Math.abs(at - plot.y(16)) < 0.1);
  assert.equal(plot.tangentAt(3, 9, 6), plot.tangent);
  assert.match(moveWords(SQUARE, "x[1]", 4, 16, "loss", 8), /promised 15. The slope here is \*\*8\*\*\.$/);
});

test("a steep tangent is drawn as far as it is near the plot, at the place where it belongs", () => {
  const plot = plotOf(SQUARE, 100, 50);
  for (const slope of [1e9, -1e9]) {
    const points = placesOf(plot.tangentAt(4, 16, slope));
    assert.equal(points.length, 2);
    for (const [x, y] of points) {
      assert.ok(Math.abs(x - plot.x(4)) < 0.1);
      assert.ok(y >= -50 && y <= 100);
    }
    assert.ok(Math.min(...points.map(([, y]) => y)) <= 0 && Math.max(...points.map(([, y]) => y)) >= 50);
  }
  const bent = placesOf(plotOf(DECADES, 200, 100).tangentAt(0.05, 3, -1e9));
  assert.ok(bent.length > 0 && bent.every(([x, y]) => x >= 0 && x <= 200 && y >= -100 && y <= 200));
  assert.equal(plot.tangentAt(4, NaN, 1), "");
});

test("a moved number has the digits that a hand can mean", () => {
  assert.equal(rounded(0.1 + 0.2, 1), 0.3);
  assert.equal(rounded(0.123456789, 1), 0.1235);
  assert.equal(rounded(-1234567.891, 1e6), -1234600);
  assert.equal(rounded(1.23456789e-9, 1e-8), 1.235e-9);
});

test("the sentence compares the loss with what the gradient promised", () => {
  assert.equal(
    moveWords(SQUARE, "x[1]", 3, null, "loss"),
    "The gradient promises: nudge `x[1]` by ε, and `loss` moves by 6 ε.",
  );
  assert.equal(
    moveWords(SQUARE, "x[1]", 3.5, 12.25, "loss"),
    "`x[1]` from 3 to 3.5: `loss` 9 to **12.25**; the gradient promised 12.",
  );
  assert.match(moveWords(SQUARE, "x[1]", 3.5, null, "loss"), /9 to \*\*…\*\*; the gradient promised 12/);
  const close = moveWords({ ...SQUARE, loss: 3.339889, slope: 0.001 }, "x[1]", 3.1, 3.339991, "loss");
  assert.match(close, /3\.339889 to \*\*3\.339991\*\*; the gradient promised 3\.339989/);
});

test("a kink is told with both of its slopes", () => {
  assert.equal(partingWords(SQUARE, "loss"), "");
  assert.equal(
    partingWords({ ...SQUARE, kink: { left: 0, right: 1 }, slope: 0 }, "loss"),
    "`loss` has a kink here: its slope is 0 to the left and 1 to the right; the gradient is 0.",
  );
});

test("a slope that .detach() hides from the gradient is told", () => {
  assert.equal(
    partingWords({ ...SQUARE, own_slope: 0.25 }, "loss"),
    "`.detach()` hides a part of this from the gradient: the slope of `loss` is 0.25 here.",
  );
});

test("curve and tangent touch where the number is, and leave each other beside it", () => {
  const plot = plotOf(SQUARE, 200, 100);
  const points = placesOf(plot.curve);
  assert.equal(points.length, 5);
  const [[x0, y0], [x1, y1]] = placesOf(plot.tangent);
  const at = (/** @type {number} */ x) => y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
  assert.ok(Math.abs(at(points[2][0]) - points[2][1]) < 0.1);
  assert.ok(at(points[0][0]) > points[0][1] + 5, "the curve lies above its tangent");
  assert.equal(plot.x(3), 100);
  assert.ok(plot.y(25) > 0 && plot.y(1) < 100);
});

test("where the loss is not a number the curve is broken", () => {
  const points = /** @type {[number, any][]} */ ([
    [1, 1],
    [2, "NaN"],
    [3, 9],
    [4, "Infinity"],
    [5, 25],
  ]);
  assert.equal(plotOf({ ...SQUARE, points }, 200, 100).curve.match(/M/g)?.length, 3);
});

test("a loss that does not move is a line in the middle", () => {
  const points = /** @type {[number, number][]} */ ([
    [1, 7],
    [5, 7],
  ]);
  const plot = plotOf({ ...SQUARE, loss: 7, slope: 0, points }, 200, 100);
  assert.equal(plot.y(7), 50);
});

test("a span beyond all numbers is one, and not a text", () => {
  const huge = { ...SQUARE, span: /** @type {const} */ ("Infinity") };
  assert.deepEqual(rangeOf(huge), [-Infinity, Infinity]);
});

test("between two points the dot runs along the line, and beyond the ends it stays at their height", () => {
  assert.equal(onCurve(SQUARE, 3), 9);
  assert.equal(onCurve(SQUARE, 2.5), 6.5);
  assert.equal(onCurve(SQUARE, 0), 1);
  assert.equal(onCurve(SQUARE, 7), 25);
});
