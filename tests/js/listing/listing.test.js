import assert from "node:assert/strict";
import { test } from "node:test";
import { listings, tokens } from "../../../static/js/listing/listing.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";

const names = new Map([
  ["h", "h"],
  ["h_2", "h@2"],
  ["counts", "counts"],
  ["data", "data"],
]);

test("names of tensors and of their gradients are told apart from the rest", () => {
  const kinds = tokens("dcounts = dh_2 * x.counts + counts # h", names)
    .filter((token) => token.text.trim())
    .map(({ text, kind, node }) => `${text}:${kind}:${node}`);
  assert.deepEqual(kinds, [
    "dcounts:gradient:counts",
    "=:plain:null",
    "dh_2:gradient:h@2",
    "*:plain:null",
    "x:plain:null",
    ".:plain:null",
    "counts:plain:null",
    "+:plain:null",
    "counts:name:counts",
    "# h:comment:null",
  ]);
});

test("a name that begins with d is itself first", () => {
  assert.equal(tokens("data", names)[0].kind, "name");
});

test("tokens put together are the line", () => {
  const line = "dlogprobs[range(n), Yb] = -1.0/n  # a = b";
  assert.equal(
    tokens(line, names)
      .map((token) => token.text)
      .join(""),
    line,
  );
});

test("every line knows its step, and where its right-hand side begins", () => {
  const { forward, backward } = listings(new Walk(smallWalk()));
  assert.deepEqual(
    forward.map((row) => row.step),
    [0, 1],
  );
  assert.deepEqual(
    backward.map((row) => row.step),
    [2, 3, 4, 5, 6],
  );
  for (const row of [...forward, ...backward])
    assert.match(
      row.tokens
        .slice(0, row.head)
        .map((token) => token.text)
        .join(""),
      /^\w+ \+?=\s*$/,
    );
});
