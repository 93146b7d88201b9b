import assert from "node:assert/strict";
import { test } from "node:test";
import { latest } from "../../../static/js/shared/latest.js";

/** Requests that are answered when they are told to. */
function requests() {
  /** @type {string[]} */
  const heard = [];
  /** @type {{reply: (result: string) => void, refuse: (error: Error) => void, signal: AbortSignal}[]} */
  const asked = [];
  const hears = {
    arrived: (/** @type {string} */ result) => void heard.push(result),
    failed: (/** @type {unknown} */ error) => void heard.push(String(error)),
  };
  /** @param {AbortSignal} signal @returns {Promise<string>} */
  const run = (signal) => new Promise((reply, refuse) => asked.push({ reply, refuse, signal }));
  return { heard, asked, hears, run };
}

test("a newer request aborts the one before, of which nothing is heard any more", async () => {
  const { heard, asked, hears, run } = requests();
  const one = latest();
  const [first, second] = [one.ask(run, hears), one.ask(run, hears)];
  assert.deepEqual(
    asked.map(({ signal }) => signal.aborted),
    [true, false],
  );
  asked[1].reply("second");
  asked[0].reply("first");
  await Promise.all([first, second]);
  assert.deepEqual(heard, ["second"]);
  assert.equal(one.busy, false);
});

test("a failure is heard of the latest only", async () => {
  const { heard, asked, hears, run } = requests();
  const one = latest();
  const [first, second] = [one.ask(run, hears), one.ask(run, hears)];
  asked[0].refuse(new Error("first"));
  asked[1].refuse(new Error("second"));
  await Promise.all([first, second]);
  assert.deepEqual(heard, ["Error: second"]);
  assert.equal(one.busy, false);
});

test("what is stopped is not heard, and leaves room for the next", async () => {
  const { heard, asked, hears, run } = requests();
  const one = latest();
  const first = one.ask(run, hears);
  assert.equal(one.busy, true);
  one.stop();
  assert.deepEqual([asked[0].signal.aborted, one.busy], [true, false]);
  asked[0].reply("first");
  const second = one.ask(run, hears);
  asked[1].reply("second");
  await Promise.all([first, second]);
  assert.deepEqual(heard, ["second"]);
});

test("an answer that asks anew finds the way free", async () => {
  const { heard, asked, hears, run } = requests();
  const one = latest();
  const first = one.ask(run, { ...hears, arrived: () => void one.ask(run, hears) });
  asked[0].reply("first");
  await first;
  assert.deepEqual([asked.length, asked[1].signal.aborted, one.busy], [2, false, true]);
  asked[1].reply("second");
  await new Promise(setImmediate);
  assert.deepEqual(heard, ["second"]);
});

test("what an answer throws is a failure", async () => {
  const { heard, asked, hears, run } = requests();
  const one = latest();
  const asking = one.ask(run, {
    ...hears,
    arrived: () => {
      throw new Error("not readable");
    },
  });
  asked[0].reply("first");
  await asking;
  assert.deepEqual(heard, ["Error: not readable"]);
});

test("a request that has left already can be followed, and stopped", async () => {
  const { heard, hears } = requests();
  const controller = new AbortController();
  const one = latest();
  const asking = one.ask(async () => "first", hears, controller);
  one.stop();
  await asking;
  assert.deepEqual([controller.signal.aborted, heard], [true, []]);
});
