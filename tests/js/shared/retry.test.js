import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../static/js/shared/api.js";
import { retry, waits } from "../../../static/js/shared/retry.js";

const BUSY = new ApiError({ code: "busy", message: "The server is busy." }, 503, 1);
/** Seconds after which every wait is over, whatever its attempt. */
const LONGEST = 8;

/** @param {(Error|string)[]} outcomes of one attempt after the other; the last one stays */
function server(outcomes) {
  let attempts = 0;
  const ask = async () => {
    const outcome = outcomes[Math.min(attempts, outcomes.length - 1)];
    attempts += 1;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  return { ask, count: () => attempts };
}

const turn = () => new Promise(setImmediate);

test("a busy server is asked again, and the page knows who waits", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { ask, count } = server([BUSY, BUSY, "done"]);
  const answer = retry(ask);
  await turn();
  assert.deepEqual([count(), waits.count], [1, 1]);
  for (let i = 0; i < 2; i += 1) {
    context.mock.timers.tick(LONGEST * 1000);
    await turn();
  }
  assert.deepEqual([await answer, count(), waits.count], ["done", 3, 0]);
});

test("each wait is longer than the one before, by the time that the server names", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  context.mock.method(Math, "random", () => 0.5); // neither early nor late
  const { ask, count } = server([new ApiError({ code: "busy", message: "" }, 503, 2)]);
  const answer = retry(ask, { attempts: 4 });
  answer.catch(() => undefined);
  for (const seconds of [2, 4, 6]) {
    await turn();
    const before = count();
    context.mock.timers.tick(seconds * 1000 - 1);
    await turn();
    assert.equal(count(), before);
    context.mock.timers.tick(1);
    await turn();
    assert.equal(count(), before + 1);
  }
  await assert.rejects(answer, /busy|^Error/);
  assert.equal(count(), 4);
});

test("six attempts, then the answer holds", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { ask, count } = server([BUSY]);
  const answer = retry(ask);
  answer.catch(() => undefined);
  for (let i = 0; i < 10; i += 1) {
    await turn();
    context.mock.timers.tick(LONGEST * 1000);
  }
  await assert.rejects(answer, BUSY);
  assert.deepEqual([count(), waits.count], [6, 0]);
});

test("what no waiting mends is not asked again", async () => {
  const refused = new ApiError({ code: "name-unknown", message: "" }, 422);
  const failing = new ApiError({ code: "workers-failing", message: "" }, 503);
  for (const error of [refused, failing, new TypeError("ours")]) {
    const { ask, count } = server([error]);
    await assert.rejects(retry(ask), error);
    assert.equal(count(), 1);
  }
});

test("a proxy's answer has no code of ours", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  for (const status of [429, 503]) {
    const { ask, count } = server([new ApiError({ code: `http-${status}`, message: "" }, status), "done"]);
    const answer = retry(ask, { quiet: true });
    await turn();
    context.mock.timers.tick(LONGEST * 1000);
    assert.deepEqual([await answer, count()], ["done", 2]);
  }
});

test("who gives up gets the last answer; a quiet request is asked on", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const [shown, quiet] = [server([BUSY]), server([BUSY, "done"])];
  const answers = [retry(shown.ask), retry(quiet.ask, { quiet: true })];
  answers[0].catch(() => undefined);
  await turn();
  assert.equal(waits.count, 1);
  waits.giveUp();
  await assert.rejects(answers[0], BUSY);
  assert.equal(waits.count, 0);
  context.mock.timers.tick(LONGEST * 1000);
  assert.equal(await answers[1], "done");
  assert.deepEqual([shown.count(), quiet.count()], [1, 2]);
});

test("an aborted request waits no longer", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { ask, count } = server([BUSY]);
  const controller = new AbortController();
  const answer = retry(ask, { signal: controller.signal });
  answer.catch(() => undefined);
  await turn();
  controller.abort(new Error("gone"));
  await assert.rejects(answer, /gone/);
  assert.deepEqual([count(), waits.count], [1, 0]);
});
