import assert from "node:assert/strict";
import { test } from "node:test";
import { blocksOf } from "../../../static/js/shared/follow-loader.js";

test("events are read whole, whatever piece they come in", () => {
  const text = 'retry: 1000\n\nid: 3\ndata: {"a": "b: c"}\n\n: still here\n\ndata: {}\n\nid: 4\nda';
  assert.deepEqual(blocksOf(text), {
    blocks: [
      { number: 3, data: '{"a": "b: c"}' },
      { number: 0, data: "{}" },
    ],
    open: "id: 4\nda",
  });
  for (let cut = 0; cut <= text.length; cut += 1) {
    const first = blocksOf(text.slice(0, cut));
    const second = blocksOf(first.open + text.slice(cut));
    assert.deepEqual([...first.blocks, ...second.blocks], blocksOf(text).blocks);
  }
});
