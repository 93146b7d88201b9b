import assert from "node:assert/strict";
import { test } from "node:test";
import { plain } from "../../../static/js/evidence/plotly-text.js";
import { drawChart } from "../../../static/js/evidence/plotly-view.js";

const LINK = '<a href="https://example.com">Session expired</a>';

test("what Plotly would read as markup, an entity or a place to fill stands there as text", () => {
  assert.equal(plain(LINK), '&lt;a href="https://example.com"&gt;Session expired&lt;/a&gt;');
  assert.equal(plain("a & b &amp; &lt;"), "a &amp; b &amp;amp; &amp;lt;");
  assert.equal(plain("50 % of %{z} and %%{z}"), "50 % of &#37;{z} and %&#37;{z}");
  assert.equal(plain("hpreact, row 3 · “é” − 5 %"), "hpreact, row 3 · “é” − 5 %");
});

test("no text of a chart reaches Plotly as it was written", () => {
  /** @type {unknown[]} */
  let given = [];
  const Plotly = {
    react: (/** @type {unknown[]} */ ...all) => {
      given = all.slice(1);
    },
  };
  const evil = `${LINK}%{meta}`;
  const tensor = /** @type {any} */ ({ grid: { rows: 2, cols: 3 }, wire: { dtype: "f4", bdata: "", shape: "2, 3" } });
  const slot = /** @type {any} */ ({});
  drawChart(
    slot,
    {
      tensor,
      max: 1,
      theme: "light",
      width: 300,
      height: 200,
      title: evil,
      rows: [evil, evil],
      cols: [evil, evil, evil],
      axes: [evil, evil],
      large: true,
    },
    Plotly,
  );
  const told = JSON.stringify(given);
  assert.ok(!told.includes("<a"), told);
  assert.ok(!told.includes("%{meta}"), told);
  assert.equal(
    told.split("Session expired").length - 1,
    22,
    "three in the hover's template, twelve of its cells, two axes, five ticks",
  );
});
