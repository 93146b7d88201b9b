import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, runAddress, subjectOf } from "../../../static/js/training/address.js";
import { wayBack, wayBackWords } from "../../../static/js/walk/way-back.js";

/** @param {string} path */
const at = (path) => subjectOf(new URL(`http://here${path}`), "makemore-mlp");

test("an address says what is trained and in which run, and is read back", () => {
  assert.deepEqual(at("/train"), { lesson: "makemore-mlp", hash: "", run: null });
  for (const path of ["/train/first-steps", "/train/first-steps?run=a_B-9", "/train?run=a#p=xyz", "/train#p=xyz"])
    assert.equal(addressOf(at(path)), path);
  for (const run of ["", "a/b", "a b", "x".repeat(65)]) assert.equal(at(`/train/a?run=${run}`).run, null, run);
});

test("a walk leads back to its run, whose address is short whatever is trained", () => {
  for (const path of ["/train/first-steps?run=a_B-9", "/train?run=a#p=xyz"]) {
    const back = runAddress(at(path));
    assert.equal(back, path.replace(/#.*/, ""));
    const found = wayBack(new URL(`http://here/code?step=1&from=${encodeURIComponent(back)}`));
    assert.equal(found, back);
    assert.equal(wayBackWords(back), "Back to the run");
  }
  assert.equal(wayBackWords("/learn/first-steps"), "Back to the chapter");
  assert.equal(wayBack(new URL("http://here/code?from=/train/../code?run=a")), null);
});
