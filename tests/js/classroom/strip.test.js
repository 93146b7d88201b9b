import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsOf, farOf } from "../../../static/js/classroom/strip.js";

test("a column is as dark as its part of where most are, and marked where many of them try in vain", () => {
  const strip = { here: [8, 4, 0, 1], stuck: [1, 1, 0, 0], written: [0, 0, 0, 0, 13] };
  assert.deepEqual(columnsOf(strip, ["dlogits", "db2"]), [
    { share: 1, stuck: false, says: "dlogits: 8 students, 1 after three wrong tries or more" },
    { share: 0.5, stuck: true, says: "db2: 4 students, 1 after three wrong tries or more" },
    { share: 0, stuck: false, says: "Gradient 3: 0 students" },
    { share: 0.125, stuck: false, says: "Gradient 4: 1 student" },
  ]);
});

test("how far half of a class is, for every class of up to four in an exercise of two gradients", () => {
  for (const written of triples()) {
    const students = written.flatMap((some, count) => Array(some).fill(count));
    if (!students.length) continue;
    const told = farOf({ here: [0, 0], stuck: [0, 0], written }, 4);
    const said = Number(/written at least (\d) of 2 gradients;/.exec(told)?.[1] ?? 0);
    if (!Math.max(...students)) {
      assert.ok(told.startsWith("Of 2 gradients nobody has written one yet."));
      continue;
    }
    assert.equal(told.startsWith("Fewer than half of them have written any of 2 gradients;"), said === 0);
    const atLeast = (/** @type {number} */ count) => students.filter((one) => one >= count).length;
    assert.ok(2 * atLeast(said) >= students.length);
    assert.ok(2 * atLeast(said + 1) < students.length);
    assert.ok(told.includes(`the furthest has ${Math.max(...students)}.`));
  }
});

test("who has not opened the exercise is counted, and nobody where all have", () => {
  const strip = { here: [2], stuck: [0], written: [1, 1] };
  const told = "Half of them have written at least 1 of 1 gradient; the furthest has 1.";
  assert.equal(farOf(strip, 5), `${told} 3 of 5 have not opened it.`);
  assert.equal(farOf(strip, 2), told);
});

/** @returns {number[][]} how many have written none, one and both, of four at the most */
function triples() {
  const all = [0, 1, 2, 3, 4].flatMap((a) => [0, 1, 2, 3, 4].flatMap((b) => [0, 1, 2, 3, 4].map((c) => [a, b, c])));
  return all.filter(([a, b, c]) => a + b + c <= 4);
}
