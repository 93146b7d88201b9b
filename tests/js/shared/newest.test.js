import assert from "node:assert/strict";
import { test } from "node:test";
import { newest } from "../../../static/js/shared/newest.js";

/** A task that ends when it is told to. */
function held() {
  /** @type {{wanted: number, end: (result: string) => void, fail: (error: Error) => void}[]} */
  const started = [];
  const run = (/** @type {number} */ wanted) =>
    new Promise((end, fail) => started.push({ wanted, end: (result) => end(result), fail }));
  /** @type {unknown[]} */
  const heard = [];
  const tasks = newest(run, {
    arrived: (result, wanted) => heard.push([result, wanted]),
    failed: (error, wanted) => heard.push([String(error), wanted]),
  });
  return { started, heard, tasks };
}

const turn = () => new Promise((done) => setImmediate(done));

test("one at a time, and of those that wait only the newest", async () => {
  const { started, heard, tasks } = held();
  [1, 2, 3, 4].forEach(tasks.ask);
  assert.deepEqual(
    started.map(({ wanted }) => wanted),
    [1],
  );
  started[0].end("a");
  await turn();
  assert.deepEqual(
    started.map(({ wanted }) => wanted),
    [1, 4],
  );
  started[1].end("b");
  await turn();
  assert.deepEqual(heard, [
    ["a", 1],
    ["b", 4],
  ]);
  assert.equal(tasks.busy, false);
  tasks.ask(5);
  assert.equal(started.length, 3);
});

test("the next one is on its way before the last is drawn", async () => {
  /** @type {string[]} */
  const order = [];
  const run = async (/** @type {number} */ wanted) => order.push(`ask ${wanted}`);
  const tasks = newest(run, { arrived: (_, wanted) => order.push(`draw ${wanted}`), failed: () => {} });
  [1, 2, 3].forEach(tasks.ask);
  await turn();
  assert.deepEqual(order, ["ask 1", "ask 3", "draw 1", "draw 3"]);
});

test("after a failure the one that waits is asked", async () => {
  const { started, heard, tasks } = held();
  [1, 2].forEach(tasks.ask);
  started[0].fail(new Error("no"));
  await turn();
  assert.deepEqual(heard, [["Error: no", 1]]);
  assert.equal(started[1].wanted, 2);
});

test("nothing is heard once it is stopped", async () => {
  const { started, heard, tasks } = held();
  [1, 2].forEach(tasks.ask);
  tasks.stop();
  started[0].end("late");
  await turn();
  assert.deepEqual([heard, started.length], [[], 1]);
});
