import assert from "node:assert/strict";
import { test } from "node:test";
import { indentAfter } from "../../../static/js/shared/new-line.js";

test("a new line stands as far in as the last one, further in after a colon", () => {
  assert.equal(indentAfter(""), "");
  assert.equal(indentAfter("dx = dy"), "");
  assert.equal(indentAfter("for i in range(3):\n  dx += 1"), "  ");
  assert.equal(indentAfter("for i in range(3):  # rows"), "    ");
  assert.equal(indentAfter("  if a:"), "      ");
  assert.equal(indentAfter("dx = a[1:"), "    ");
  assert.equal(indentAfter("dx = a[1:2]"), "");
});
