import assert from "node:assert/strict";
import { test } from "node:test";
import { filledIn } from "../../../static/js/figures/notebook.js";

const TEXT = JSON.stringify({ source: ["    «multiply:other.receive(g)»\n", 'return «cube:x["a"]»'] });

test("a blank is filled by the reader's line, else by the right one", () => {
  const filled = JSON.parse(filledIn(TEXT, { multiply: 'f("\\t$&")' }));
  assert.deepEqual(filled.source, ['    f("\\t$&")\n', 'return x["a"]']);
});

test("without any line nothing of the marks is left", () => {
  assert.deepEqual(JSON.parse(filledIn(TEXT, {})).source, ["    other.receive(g)\n", 'return x["a"]']);
});
