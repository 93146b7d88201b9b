import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { isCoarse, refine, shownAt } from "../../../static/js/walk/closeup.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { makeCloseupLoader } from "../../../static/js/walk/closeup-loader.js";
import { smallWalk, wire } from "../document.js";

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

const W_SUM = 4;
const W_MORE = 5;

/** @param {number[]} shape @param {boolean} [coarse] @returns {any} a tensor as one block */
function block(shape, coarse = true) {
  const { bdata } = wire([0], []);
  return {
    dtype: "f4",
    shape: shape.join(", "),
    pooled: { block: shape, shape: "1, 1", rms: 3, coarse, mean: bdata, min: bdata, max: bdata },
  };
}

/** @returns {Walk} the small walk with the gradient of w and its product in blocks */
function coarseWalk() {
  const document = smallWalk();
  const [first, second] = [document.steps[W_SUM], document.steps[W_MORE]];
  Object.assign(first, { contribution: block([3]), accumulated: block([3]) });
  first.picture.product.tensor = block([2, 3]);
  Object.assign(second, { contribution: block([3]), accumulated: block([3]) });
  document.nodes[1].gradient = { ...document.nodes[1].gradient, manual: block([3]) };
  return new Walk(document, '{"lesson":"small"}');
}

/** @param {number} index */
function sent(index) {
  const dw = wire([5, 7, 9], [3]);
  const nodes = { w: { value: wire([1, -1, 2], [3]), manual: dw, autograd: dw, difference: wire([0, 0, 0], [3]) } };
  return {
    index,
    contribution: dw,
    accumulated: dw,
    before: index === W_MORE ? dw : null,
    operands: [null, null],
    product: wire([1, 2, 3, 4, 5, 6], [2, 3]),
    nodes,
  };
}

/** @param {(body: any) => number} status @returns {any[]} what was asked */
function served(status) {
  /** @type {any[]} */
  const asked = [];
  globalThis.fetch = /** @type {any} */ (
    async (/** @type {string} */ path, /** @type {any} */ { body }) => {
      asked.push([path, JSON.parse(body)]);
      const code = status(JSON.parse(body));
      return new Response(
        JSON.stringify(code === 200 ? sent(JSON.parse(body).index) : { error: { code: "no", message: "No." } }),
        { status: code },
      );
    }
  );
  return asked;
}

/** @returns {Promise<void>} */
const settled = async () => {
  for (let i = 0; i < 40; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

test("the step that is looked at is asked for first, then the one after it, and neither again", async () => {
  const asked = served(() => 200);
  const walk = coarseWalk();
  /** @type {number[]} */
  const arrived = [];
  const closeups = makeCloseupLoader(walk, (index) => arrived.push(index));
  closeups.look(walk.steps[W_SUM], "w");
  await settled();
  assert.deepEqual(
    asked.map(([path, { index }]) => [path, index]),
    [
      ["/api/step", W_SUM],
      ["/api/step", W_MORE],
    ],
  );
  assert.deepEqual(asked[0][1], {
    walk: { lesson: "small" },
    index: W_SUM,
    nodes: shownAt(walk, walk.steps[W_SUM], "w"),
  });
  assert.deepEqual(arrived, [W_SUM, W_MORE]);
  closeups.look(walk.steps[W_SUM], "w");
  await settled();
  assert.equal(asked.length, 2);
});

test("cells take the place of the blocks, in the gradient so far as well", async () => {
  served(() => 200);
  const walk = coarseWalk();
  assert.equal(walk.tensor(walk.node("w").gradient.manual).stats.rms, 3);
  makeCloseupLoader(walk, () => undefined).look(walk.steps[W_MORE], "w");
  await settled();
  const step = /** @type {any} */ (walk.steps[W_MORE]);
  assert.deepEqual([...walk.tensor(step.accumulated).data], [5, 7, 9]);
  assert.deepEqual([.../** @type {any} */ (walk.before(step)).data], [5, 7, 9]);
  assert.deepEqual([...walk.tensor(walk.node("w").gradient.manual).data], [5, 7, 9]);
  assert.equal(isCoarse(walk, step, "w"), false);
});

test("where no answer comes the blocks stay, and coming back asks again", async () => {
  const asked = served(() => 422);
  const walk = coarseWalk();
  const closeups = makeCloseupLoader(walk, () => assert.fail("nothing arrived"));
  closeups.look(walk.steps[W_SUM], "w");
  await settled();
  assert.equal(asked.length, 2);
  closeups.look(walk.steps[W_SUM], "w");
  await settled();
  assert.equal(asked.length, 3);
  assert.ok(isCoarse(walk, walk.steps[W_SUM], "w"));
});

test("what is whole, or in blocks as fine as they come, is not asked for", async () => {
  const asked = served(() => 200);
  const document = smallWalk();
  document.nodes[0].value = block([300, 300], false);
  const walk = new Walk(document);
  const closeups = makeCloseupLoader(walk, () => assert.fail("nothing to fetch"));
  for (const step of walk.steps) closeups.look(step, step.node);
  await settled();
  assert.deepEqual(asked, []);
});

test("what a forward step draws on the way to its result is refined as well", () => {
  const document = smallWalk();
  const { picture } = document.steps[0];
  picture.operands[1] = { ...picture.operands[1], node: null, which: null, code: "w + 0", tensor: block([3]) };
  picture.met = { code: "x * w", shape: [2, 3], dims: ["example", "class"], tensor: block([2, 3]) };
  const walk = new Walk(document);
  assert.ok(isCoarse(walk, walk.steps[0], "y"));
  const product = wire([1, -2, 6, 4, -5, 12], [2, 3]);
  const none = { contribution: null, accumulated: null, before: null, product: null, nodes: {} };
  refine(walk, { ...none, index: 0, operands: [null, wire([1, -1, 2], [3]), product] });
  assert.ok(!isCoarse(walk, walk.steps[0], "y"));
  assert.equal(picture.operands[0].tensor, null);
  assert.deepEqual([...walk.tensor(picture.met.tensor).data], [1, -2, 6, 4, -5, 12]);
});
