import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { keyOf, makeCellLoader } from "../../../static/js/lens/cell-loader.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";

const walk = new Walk(smallWalk(), '{"lesson":"small"}');
const answer = {
  tensor: "w",
  which: "gradient",
  index: [0],
  formula: "",
  shown: 5,
  sum: 5,
  adds: true,
  agrees: true,
  count: 0,
  terms: [],
  rest: { count: 0, sum: 0 },
  paths: [],
};
const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

/** @param {number} at */
const pick = (at) => ({ tensor: "w", which: /** @type {const} */ ("gradient"), index: [at] });

/** A server that answers when it is told to. */
function served() {
  /** @type {{body: any, reply: (status?: number) => void, signal: AbortSignal}[]} */
  const asked = [];
  globalThis.fetch = /** @type {any} */ (
    (/** @type {string} */ _, /** @type {any} */ { body, signal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        const reply = (status = 200) =>
          resolve(
            new Response(JSON.stringify(status === 200 ? answer : { error: { code: "no", message: "No." } }), {
              status,
            }),
          );
        asked.push({ body: JSON.parse(body), reply, signal });
      })
  );
  return asked;
}

/** @returns {Promise<void>} when everything that could happen has happened */
const settled = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** @param {string[]} heard */
const hears = (heard) => ({
  answered: (/** @type {string} */ key) => heard.push(key),
  failed: (/** @type {string} */ key, /** @type {any} */ error) => heard.push(`${key} ${error.message}`),
});

test("one question at a time, and of those that wait only the newest", async () => {
  const asked = served();
  /** @type {string[]} */
  const heard = [];
  const cells = makeCellLoader(walk, hears(heard));
  for (const at of [0, 1, 2]) cells.ask(pick(at));
  assert.deepEqual(
    asked.map(({ body }) => body.index),
    [[0]],
  );
  assert.deepEqual(asked[0].body.walk, { lesson: "small" });
  asked[0].reply();
  await settled();
  assert.deepEqual(
    asked.map(({ body }) => body.index),
    [[0], [2]],
  );
  asked[1].reply();
  await settled();
  assert.deepEqual(heard, [keyOf(pick(0)), keyOf(pick(2))]);
  assert.equal(cells.known(pick(0))?.shown, 5);
  assert.equal(cells.known(pick(1)), null);
});

test("what is no longer wanted is not asked, and leaving stops what is under way", async () => {
  const asked = served();
  /** @type {string[]} */
  const heard = [];
  const cells = makeCellLoader(walk, hears(heard));
  cells.ask(pick(0));
  cells.ask(pick(1));
  cells.drop();
  cells.unmount();
  await settled();
  assert.equal(asked.length, 1);
  assert.ok(asked[0].signal.aborted);
  assert.deepEqual(heard, []);
});

test("a failure is told, and the next question asked", async () => {
  const asked = served();
  /** @type {string[]} */
  const heard = [];
  const cells = makeCellLoader(walk, hears(heard));
  cells.ask(pick(0));
  cells.ask(pick(1));
  asked[0].reply(422);
  await settled();
  assert.deepEqual(heard, [`${keyOf(pick(0))} No.`]);
  assert.equal(asked.length, 2);
});
