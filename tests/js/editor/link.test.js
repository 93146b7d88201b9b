import assert from "node:assert/strict";
import { test } from "node:test";
import { constantRow, contentOf, emptyDraft, tensorRow } from "../../../static/js/model/editor/draft.js";
import { isPacked, pack, unpack } from "../../../static/js/model/editor/link.js";

const DRAFT = {
  source: "# größer 𝛼\nh = torch.tanh(x @ W)\nloss = h.sum()",
  tensors: [tensorRow({ name: "x", role: "data", shape: "5, 3", seed: "1", axes: "example, feature" }), tensorRow({ name: "W", fill: "values", values: "[[1.0, 2]\n half" })],
  constants: [constantRow({ name: "n", value: "5" })],
  loss: "loss",
  dtype: /** @type {const} */ ("float64"),
};

test("a form survives its own link, mistakes included", async () => {
  const hash = await pack(DRAFT);
  assert.ok(isPacked(hash));
  assert.match(hash, /^#p=[\w-]+$/);
  const back = await unpack(hash);
  assert.ok(back);
  assert.equal(contentOf(back), contentOf(DRAFT));
});

test("the same form makes the same link, whoever made its rows", async () => {
  const again = { ...DRAFT, tensors: DRAFT.tensors.map((row) => tensorRow(row)) };
  assert.equal(await pack(again), await pack(DRAFT));
});

test("a long program makes a short link", async () => {
  const source = Array.from({ length: 60 }, (_, i) => `h${i} = torch.tanh(h${i - 1} @ W + b)`).join("\n");
  const hash = await pack(emptyDraft(source));
  assert.ok(hash.length < source.length / 3, `${hash.length} of ${source.length}`);
});

test("a link that was cut, changed or made up gives nothing", async () => {
  const hash = await pack(DRAFT);
  for (const broken of [hash.slice(0, -9), "#p=", "#p=!!!", "#p=AAAA", await packed([]), await packed({ source: 1, tensors: [], constants: [] })]) {
    assert.equal(await unpack(broken), null, broken);
  }
});

test("what a link says is kept only where it is of the right kind", async () => {
  const back = await unpack(await packed({ source: "y = x", tensors: [{ name: 7, role: "boss", fill: "evil", shape: { a: 1 }, values: "2" }], constants: [{}], dtype: "float16" }));
  assert.ok(back);
  const [row] = back.tensors;
  assert.deepEqual([row.name, row.role, row.fill, row.shape, row.values], ["", "parameter", "randn", "", "2"]);
  assert.equal(back.dtype, "float32");
});

test("a small link can't unpack to something enormous", async () => {
  const bomb = await packed({ source: "a".repeat(4_000_000), tensors: [], constants: [] });
  assert.ok(bomb.length < 10_000);
  assert.equal(await unpack(bomb), null);
});

/** @param {unknown} data @returns {Promise<string>} */
async function packed(data) {
  const stream = new Blob([JSON.stringify(data)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return `#p=${Buffer.from(await new Response(stream).arrayBuffer()).toString("base64url")}`;
}
