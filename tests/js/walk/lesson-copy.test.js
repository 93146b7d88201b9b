import assert from "node:assert/strict";
import { test } from "node:test";
import { copyAddress, copyIn } from "../../../static/js/walk/lesson-copy.js";

test("a copy's address says lesson, seed, changes and line, and is read back as it was written", () => {
  for (const copy of [
    { lesson: "makemore-mlp", seed: null, word: "", changes: [], line: null },
    { lesson: "a b/?&", seed: 0, word: "anna", changes: [{ tensor: "W", index: [1], value: 2 }], line: 12 },
  ]) {
    assert.deepEqual(copyIn(new URL(copyAddress(copy), "http://localhost")), copy);
  }
  assert.equal(
    copyAddress({ lesson: "makemore-mlp", seed: null, word: "", changes: [], line: null }),
    "/code?lesson=makemore-mlp",
  );
});

test("an address without a lesson asks for no copy, and nonsense is left out", () => {
  assert.equal(copyIn(new URL("http://localhost/code?step=3")), null);
  assert.deepEqual(copyIn(new URL("http://localhost/code?lesson=x&seed=-1&open=two")), {
    lesson: "x",
    seed: null,
    word: "",
    changes: [],
    line: null,
  });
});
