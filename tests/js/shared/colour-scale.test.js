import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { colourOf, inkOn, plotlyScale, slot } from "../../../static/js/shared/colour-scale.js";

test("the scale is centred on zero and ends in blue and in red", () => {
  assert.deepEqual(colourOf(0, 2, "light"), [247, 244, 237]);
  assert.deepEqual(colourOf(-2, 2, "light"), [33, 94, 168]);
  assert.deepEqual(colourOf(2, 2, "light"), [180, 21, 58]);
});

/** @param {number[]} rgb @returns {number[]} in CIE Lab, where distances are as they are seen */
function lab(rgb) {
  const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  const xyz = [0.4124 * r + 0.3576 * g + 0.1805 * b, 0.2126 * r + 0.7152 * g + 0.0722 * b];
  const [x, y, z] = [xyz[0] / 0.9505, xyz[1], (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089].map(Math.cbrt);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

test("what is positive and what goes backward are two colours, and the style sheets' are the scale's", () => {
  const sheet = readFileSync(new URL("../../../static/css/tokens.css", import.meta.url), "utf8");
  const [light, dark] = sheet.split('[data-theme="dark"]');
  for (const [theme, css] of /** @type {const} */ ([
    ["light", light],
    ["dark", dark],
  ])) {
    const of = (/** @type {string} */ name) => {
      const hex = new RegExp(`--${name}: #(\\w{6});`).exec(css)?.[1] ?? "";
      return [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
    };
    assert.deepEqual(of("positive"), colourOf(1, 1, theme));
    assert.deepEqual(of("negative"), colourOf(-1, 1, theme));
    const [positive, backward] = [lab(of("positive")), lab(of("backward"))];
    assert.ok(Math.hypot(...positive.map((part, i) => part - backward[i])) > 25, theme);
  }
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

/** @param {number[]} rgb @returns {number} its relative luminance, as WCAG 2.2 defines it */
function luminance(rgb) {
  const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test("ink on a cell can be read, whatever colour the cell has", () => {
  assert.equal(inkOn([247, 244, 237]), "#000000");
  assert.equal(inkOn([33, 94, 168]), "#ffffff");
  for (const theme of /** @type {const} */ (["light", "dark"]))
    for (let value = -1; value <= 1; value += 1 / 512) {
      const ground = colourOf(value, 1, theme);
      const [light, dark] = [luminance(ground), inkOn(ground) === "#ffffff" ? 1 : 0].sort((a, b) => b - a);
      assert.ok((light + 0.05) / (dark + 0.05) >= 4.5, `${theme} ${value}`);
    }
});
