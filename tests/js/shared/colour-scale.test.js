import assert from "node:assert/strict";
import { test } from "node:test";
import { colourOf, inkOn, plotlyScale, slot } from "../../../static/js/shared/colour-scale.js";

test("the scale is centred on zero and ends in blue and in red", () => {
  assert.deepEqual(colourOf(0, 2, "light"), [247, 244, 237]);
  assert.deepEqual(colourOf(-2, 2, "light"), [33, 94, 168]);
  assert.deepEqual(colourOf(2, 2, "light"), [196, 72, 38]);
});

test("small values show: a hundredth of the largest is well off zero", () => {
  assert.ok(slot(0.01, 1) - slot(0, 1) > 10);
  assert.equal(slot(0, 1) - slot(-0.01, 1), slot(0.01, 1) - slot(0, 1));
});

test("beyond the scale is the end of the scale; not finite is a colour of its own", () => {
  assert.equal(slot(9, 1), slot(1, 1));
  assert.deepEqual(colourOf(NaN, 1, "light"), [20, 18, 16]);
  assert.equal(slot(NaN, 1), slot(-Infinity, 1));
  assert.equal(slot(5, 0), slot(0, 1));
});

test("Plotly's stops rise and carry the same colours", () => {
  const stops = plotlyScale("dark");
  assert.deepEqual([stops[0][0], stops.at(-1)?.[0]], [0, 1]);
  for (let i = 1; i < stops.length; i += 1) assert.ok(stops[i][0] > stops[i - 1][0]);
  assert.equal(stops[24][1], `rgb(${colourOf(0, 1, "dark").join(",")})`);
});

test("ink on a cell can be read", () => {
  assert.equal(inkOn([247, 244, 237]), "#15130f");
  assert.equal(inkOn([33, 94, 168]), "#ffffff");
});
