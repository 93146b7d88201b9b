import assert from "node:assert/strict";
import { test } from "node:test";
import { PACES, farFrom, paceOf, takenWords } from "../../../static/js/downhill/pace.js";

test("from slow motion to a thousand steps, each faster than the one before", () => {
  const rests = PACES.map(({ rest }) => rest);
  assert.deepEqual(
    rests,
    [...rests].sort((a, b) => b - a),
  );
  assert.equal(rests.at(-1), 0);
  assert.equal(paceOf("fast").rest, 0);
  assert.equal(paceOf("unheard of"), PACES[0]);
});

test("a thousand ends at a whole thousand", () => {
  assert.deepEqual([0, 1, 999, 1000, 1001].map(farFrom), [1000, 1000, 1000, 2000, 2000]);
});

test("where a run stands", () => {
  assert.equal(takenWords(0), "before the first step");
  assert.equal(takenWords(1), "after 1 step");
  assert.equal(takenWords(1200), "after 1,200 steps");
});
