import assert from "node:assert/strict";
import { test } from "node:test";
import { stateAfter } from "../../../static/js/classroom/class-state.js";
/** @typedef {import("../../../static/js/classroom/types.js").ClassState} ClassState */

/** @type {ClassState} */
const FIRST = { number: 1, code: "B", address: "/", pace: "follow", locked: false, ended: false, question: null };
/** @type {import("../../../static/js/classroom/types.js").ClassAsk} */
const ASK = { kind: "gradient", prompt: "Write `dx`." };
const MINE = { revision: 0, value: "dx = dy" };
/** @type {import("../../../static/js/classroom/types.js").Walled} */
const WALLED = {
  ...{ kind: "walled", question: 1, round: 1, text: "dx = dy" },
  ...{ correct: false, message: "No.", where: null, students: 1 },
};

/** @param {import("../../../static/js/classroom/types.js").ClassEvent[]} events @returns {ClassState} */
function told(...events) {
  return events.reduce(stateAfter, FIRST);
}

test("a question is asked, closed, counted, answered, and asked again without what was shown of it", () => {
  const open = told({ kind: "asked", question: 1, round: 1, ask: ASK, at: 0 });
  assert.equal(open.question?.closed, false);
  const answered = { ...open, question: open.question && { ...open.question, mine: MINE } };
  const closed = stateAfter(answered, { kind: "closed", question: 1, round: 1 });
  assert.deepEqual([closed.question?.closed, closed.question?.mine], [true, MINE]);
  const counted = stateAfter(closed, { kind: "counted", question: 1, round: 1, bars: [], waiting: 2 });
  assert.deepEqual(counted.question?.counts, { bars: [], waiting: 2 });
  const shown = stateAfter(counted, { kind: "answered", question: 1, value: "dx = 3 * dy", because: "" });
  assert.equal(shown.question?.answer?.value, "dx = 3 * dy");
  const { question } = [WALLED].reduce(stateAfter, shown);
  const again = stateAfter({ ...shown, question }, { kind: "asked", question: 1, round: 2, ask: ASK, at: 1 });
  assert.deepEqual(again.question, {
    ...{ question: 1, round: 2, ask: ASK, wall: [WALLED] },
    ...{ closed: false, counts: null, answer: null, mine: null },
  });
});

test("an answer on the wall stands there once, with its latest count, until it is taken away", () => {
  const asked = { kind: /** @type {const} */ ("asked"), question: 1, round: 1, ask: ASK, at: 0 };
  const state = told(asked, WALLED, { ...WALLED, text: "dx = 2" }, { ...WALLED, students: 5 });
  assert.deepEqual(
    state.question?.wall.map((one) => [one.text, one.students]),
    [
      ["dx = dy", 5],
      ["dx = 2", 1],
    ],
  );
  const less = stateAfter(state, { kind: "unwalled", question: 1, text: "dx = dy" });
  assert.deepEqual(less.question?.wall.length, 1);
});

test("what is said of another question changes nothing, and the rest changes what it says", () => {
  const asked = told({ kind: "asked", question: 2, round: 1, ask: ASK, at: 0 });
  assert.equal(stateAfter(asked, { kind: "closed", question: 1, round: 1 }), asked);
  const rest = told({ kind: "shown", address: "/lab" }, { kind: "paced", pace: "free" }, { kind: "locked" });
  assert.deepEqual(rest, { ...FIRST, address: "/lab", pace: "free", locked: true });
  assert.equal(told({ kind: "locked" }, { kind: "unlocked" }).locked, false);
  assert.equal(told({ kind: "rotating" }, { kind: "coded", code: "K", at: 1 }, { kind: "steady" }).code, "K");
  assert.equal(told({ kind: "ended" }).ended, true);
});
