import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, runAddress, subjectOf } from "../../../static/js/training/address.js";
import { wayBack, wayBackWords } from "../../../static/js/walk/way-back.js";

/** @param {string} address */
const read = (address) => subjectOf(new URL(address, "http://here"), "makemore-mlp");

test("an address says what is trained, how, and in which run", () => {
  const plain = { hash: "", run: "", settings: {}, projector: false };
  assert.deepEqual(read("/train"), { ...plain, lesson: "makemore-mlp" });
  assert.deepEqual(read("/train/first-steps?run=a_-9"), { ...plain, lesson: "first-steps", run: "a_-9" });
  assert.deepEqual(read("/train?run=ab#p=xyz"), { ...plain, lesson: "makemore-mlp", hash: "#p=xyz", run: "ab" });
  for (const run of ["a/../b", "a.b", ".a", "x".repeat(65)]) assert.equal(read(`/train?run=${run}`).run, "");
  assert.deepEqual(read("/train?beside=adam@0.001&batch=8&lr=<b>&p=1"), {
    ...{ ...plain, lesson: "makemore-mlp", projector: true },
    settings: { beside: "adam@0.001", batch: "8" },
  });
});

test("what is read is written again, and a walk finds its way back to it", () => {
  for (const address of [
    "/train/first-steps",
    "/train/first-steps?run=abc",
    "/train/makemore-mlp?run=ab_-cd-ef&batch=8&lr=1e-3&beside=adam@0.001&p=1",
    "/train?run=abc#p=xyz",
    "/train/first-steps?run=abc&lr=1e%2B30",
  ]) {
    const subject = read(address);
    assert.equal(addressOf(subject), address);
    assert.equal(runAddress(subject), address.replace(/#.*/, ""));
    const back = wayBack(new URL(`http://here/walk/x?from=${encodeURIComponent(runAddress(subject))}`));
    assert.equal(back, subject.run ? runAddress(subject) : null);
  }
  assert.equal(wayBackWords("/train?run=abc"), "Back to the run");
  assert.equal(wayBackWords("/learn/first-steps"), "Back to the chapter");
  for (const bad of ["/train/../code?run=a", "/train?run=a&x=/../b", "/train?run=a#b"])
    assert.equal(wayBack(new URL(`http://here/walk/x?from=${encodeURIComponent(bad)}`)), null, bad);
});
