import assert from "node:assert/strict";
import { test } from "node:test";
import { makeOutbox } from "../../../static/js/classroom/outbox.js";

function storage() {
  /** @type {Map<string, string>} */
  const kept = new Map();
  return {
    kept,
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => void kept.set(key, value),
    removeItem: (/** @type {string} */ key) => void kept.delete(key),
  };
}

test("an answer is kept until it is taken, over a page that is loaded again", () => {
  const place = storage();
  const first = { question: 1, round: 1, revision: 0, value: "a" };
  const later = { ...first, revision: 1, value: "b" };
  const other = { ...first, question: 2 };
  const box = makeOutbox(place, "class");
  box.put(first);
  box.put(later);
  box.put(other);
  const again = makeOutbox(place, "class");
  assert.deepEqual(again.next(), later, "the latest of a question takes the place of the one before");
  again.take(/** @type {typeof later} */ (again.next()));
  assert.deepEqual(again.next(), other);
  again.take(/** @type {typeof later} */ (again.next()));
  assert.equal(again.next(), undefined);
  assert.equal(place.kept.size, 0);
  assert.equal(makeOutbox(place, "another").next(), undefined);
});

test("what another tab puts there is heard of, once, and does not undo what this one has", () => {
  const place = storage();
  const [here, there] = [makeOutbox(place, "x"), makeOutbox(place, "x")];
  const answer = { question: 1, round: 1, revision: 0, value: "a" };
  there.put(answer);
  assert.deepEqual(here.heard("gradwalk:class:y"), [], "of another class");
  assert.deepEqual(here.heard("gradwalk:class:x"), [answer]);
  assert.deepEqual(here.heard("gradwalk:class:x"), []);
  const later = { ...answer, revision: 1, value: "b" };
  here.put(later);
  assert.deepEqual(there.heard("gradwalk:class:x"), [later], "the same question, answered anew");
  there.take(later);
  assert.deepEqual(here.heard("gradwalk:class:x"), []);
  assert.equal(here.next(), undefined);
});

test("what is no list in the storage, or no storage at all, does no harm", () => {
  const place = storage();
  place.setItem("gradwalk:class:x", "{");
  assert.equal(makeOutbox(place, "x").next(), undefined);
  const full = { ...storage(), setItem: () => assert.fail("full") };
  const box = makeOutbox(full, "x");
  box.put({ question: 1, round: 1, revision: 0, value: 0 });
  assert.equal(box.next()?.value, 0);
});
