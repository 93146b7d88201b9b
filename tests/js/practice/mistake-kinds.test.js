import assert from "node:assert/strict";
import { test } from "node:test";
import { countKinds, kindText } from "../../../static/js/practice/mistake-kinds.js";

test("mistakes are counted by kind, the most frequent first", () => {
  assert.deepEqual(countKinds(["sign", "missing-sum", "sign", "unknown"]), [
    { kind: "sign", count: 2 },
    { kind: "sum missing", count: 1 },
    { kind: "something else", count: 1 },
  ]);
});

test("a code that nobody knows is shown, and not taken for another", () => {
  assert.equal(kindText("no-such-code"), "no-such-code");
});
