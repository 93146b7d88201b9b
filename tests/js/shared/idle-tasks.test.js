import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { idle } from "../../../static/js/shared/idle-tasks.js";

/** @param {(tick: (milliseconds: number) => Promise<void>) => Promise<void>} tries with timers that tick by hand */
async function timed(tries) {
  mock.timers.enable({ apis: ["setTimeout"] });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  try {
    await tries(async (milliseconds) => {
      mock.timers.tick(milliseconds);
      await settled();
      mock.timers.tick(16); // a slice
      await settled();
    });
  } finally {
    mock.timers.reset();
  }
}

test("what is put off waits for its whole calm again, and runs once", async () => {
  await timed(async (tick) => {
    let ran = 0;
    const job = idle();
    job.start(100, [async () => void (ran += 1)]);
    await tick(60);
    job.later();
    await tick(60);
    assert.equal(ran, 0);
    await tick(60);
    assert.equal(ran, 1);
    job.later();
    await tick(200);
    assert.equal(ran, 1);
  });
});

test("what was cancelled does not begin later", async () => {
  await timed(async (tick) => {
    let ran = 0;
    const job = idle();
    job.start(100, [async () => void (ran += 1)]);
    job.cancel();
    job.later();
    await tick(200);
    assert.equal(ran, 0);
  });
});
