import assert from "node:assert/strict";
import { test } from "node:test";
import { differing } from "../../../static/js/shared/differing.js";

test("what is asked for the first time differs, and then only where a part is another", () => {
  const differs = differing();
  assert.equal(differs("light", false), true);
  assert.equal(differs("light", false), false);
  assert.equal(differs("light", true), true);
  assert.equal(differs("light", true), false);
  assert.equal(differs("light", false), true);
});

test("nothing at all is something, the first time", () => {
  const differs = differing();
  assert.equal(differs(undefined), true);
  assert.equal(differs(undefined), false);
});
