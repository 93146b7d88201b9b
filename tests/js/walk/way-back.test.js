import assert from "node:assert/strict";
import { test } from "node:test";
import { wayBack } from "../../../static/js/walk/way-back.js";

/** @param {string} from */
const back = (from) => wayBack(new URL(`http://here/walk/x?from=${encodeURIComponent(from)}`));

test("the way back is a chapter, and nowhere else", () => {
  assert.equal(back("/learn/first-steps"), "/learn/first-steps");
  assert.equal(back("/learn/first-steps#graph"), "/learn/first-steps#graph");
  for (const from of ["", "//evil", "https://evil", "javascript:alert(1)", "/learn/../code", "/learn/a?b", "/walk/a"])
    assert.equal(back(from), null, from);
  assert.equal(wayBack(new URL("http://here/walk/x")), null);
});
