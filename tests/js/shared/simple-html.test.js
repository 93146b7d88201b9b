import assert from "node:assert/strict";
import { test } from "node:test";
import { runsOfHtml } from "../../../static/js/shared/simple-html.js";

test("code, bold and emphasis are kept, of anything else the text alone", () => {
  assert.deepEqual(runsOfHtml('Write <code>(3, 2)</code>, <strong>not</strong> <span class="value">4</span>.'), [
    { mark: "plain", text: "Write " },
    { mark: "code", text: "(3, 2)" },
    { mark: "plain", text: ", " },
    { mark: "strong", text: "not" },
    { mark: "plain", text: " " },
    { mark: "plain", text: "4" },
    { mark: "plain", text: "." },
  ]);
});

test("signs that HTML writes otherwise are themselves again, and a tag in them stays text", () => {
  assert.deepEqual(runsOfHtml("a &lt; b &amp;&amp; c &#39;d&#39;"), [{ mark: "plain", text: "a < b && c 'd'" }]);
  assert.deepEqual(runsOfHtml("<code>&lt;script&gt;</code>"), [{ mark: "code", text: "<script>" }]);
  assert.deepEqual(runsOfHtml("1 < 2"), [{ mark: "plain", text: "1 < 2" }]);
});
