import assert from "node:assert/strict";
import { test } from "node:test";
import { constantRow, contentOf, emptyDraft, tensorRow } from "../../../static/js/editor/draft.js";
import { bodyOf } from "../../../static/js/editor/request.js";
import { digestOf, isPacked, pack, unpack } from "../../../static/js/editor/link.js";

const DRAFT = {
  source: "# größer 𝛼\nh = torch.tanh(x @ W)\nloss = h.sum()",
  tensors: [
    tensorRow({ name: "x", role: "data", shape: "5, 3", seed: "1", axes: "example, feature" }),
    tensorRow({ name: "W", fill: "values", values: "[[1.0, 2]\n half" }),
  ],
  constants: [constantRow({ name: "n", value: "5" })],
  loss: "loss",
  dtype: /** @type {const} */ ("float64"),
};

/** No lesson may be asked for. */
const NONE = { load: () => Promise.reject(new Error("asked for a lesson")), differs: () => assert.fail("differs") };

/** @returns {any} a copy of a lesson, with tensors of many numbers */
function copy() {
  const values = Array.from({ length: 2000 }, (_, i) => Math.sin(i).toFixed(7)).join(", ");
  const tensors = [tensorRow({ name: "W", fill: "values", values: `[${values}]` })];
  return { ...emptyDraft("h = W * 2"), tensors, origin: { lesson: "some", seed: 7, digest: digestOf(tensors) } };
}

test("an edited copy of a lesson makes a short link: its tensors are the lesson's", async () => {
  const draft = { ...copy(), source: "h = W * 3" };
  const hash = await pack(draft);
  assert.ok(hash.length < 400, `${hash.length}`);
  /** @type {any[]} */
  const asked = [];
  const back = await unpack(hash, { ...NONE, load: async (origin) => (asked.push(origin), { draft: copy() }) });
  assert.deepEqual([asked[0].lesson, asked[0].seed], ["some", 7]);
  assert.equal(contentOf(/** @type {any} */ (back)), contentOf(draft));
});

test("a copy whose tensors were changed travels whole", async () => {
  const draft = copy();
  draft.tensors = [tensorRow({ ...draft.tensors[0], role: "data" })];
  const hash = await pack(draft);
  assert.ok(hash.length > 4000);
  const back = await unpack(hash, NONE);
  assert.deepEqual(
    back?.tensors.map(({ id, ...row }) => row),
    draft.tensors.map((/** @type {any} */ { id, ...row }) => row),
  );
  assert.equal(back?.origin?.lesson, "some", "what the lesson tells may still be true");
  assert.equal(JSON.parse(bodyOf(/** @type {any} */ (back))).copy_of, "some");
});

test("where the lesson has other tensors by now, that is told", async () => {
  let told = false;
  const other = copy();
  other.tensors = [tensorRow({ ...other.tensors[0], values: "[1.0]" })];
  other.origin = { ...other.origin, digest: digestOf(other.tensors) };
  const back = await unpack(await pack(copy()), { load: async () => ({ draft: other }), differs: () => (told = true) });
  assert.ok(told);
  assert.equal(back?.tensors[0].values, "[1.0]");
});

test("a form survives its own link, mistakes included", async () => {
  const hash = await pack(DRAFT);
  assert.ok(isPacked(hash));
  assert.match(hash, /^#p=[\w-]+$/);
  const back = await unpack(hash, NONE);
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
  for (const broken of [
    hash.slice(0, -9),
    "#p=",
    "#p=!!!",
    "#p=AAAA",
    await packed([]),
    await packed({ source: 1, tensors: [], constants: [] }),
  ]) {
    assert.equal(await unpack(broken, NONE), null, broken);
  }
});

test("what a link says is kept only where it is of the right kind", async () => {
  const back = await unpack(
    await packed({
      source: "y = x",
      tensors: [{ name: 7, role: "boss", fill: "evil", shape: { a: 1 }, values: "2" }],
      constants: [{}],
      dtype: "float16",
    }),
    NONE,
  );
  assert.ok(back);
  const [row] = back.tensors;
  assert.deepEqual([row.name, row.role, row.fill, row.shape, row.values], ["", "parameter", "randn", "", "2"]);
  assert.equal(back.dtype, "float32");
});

test("a small link can't unpack to something enormous", async () => {
  const bomb = await packed({ source: "a".repeat(4_000_000), tensors: [], constants: [] });
  assert.ok(bomb.length < 10_000);
  assert.equal(await unpack(bomb, NONE), null);
});

/** @param {unknown} data @returns {Promise<string>} */
async function packed(data) {
  const stream = new Blob([JSON.stringify(data)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return `#p=${Buffer.from(await new Response(stream).arrayBuffer()).toString("base64url")}`;
}
