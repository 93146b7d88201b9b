import assert from "node:assert/strict";
import { test } from "node:test";
import { listings, tokens, unbroken } from "../../../static/js/listing/listing.js";
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

test("a row inside brackets has no left side, and the next statement has", () => {
  const document = smallWalk();
  const rows = ["dh = (", "    dy.sum(0, keepdim=True)", ")", "dx = torch.where(", "    mask=h,", ")", "dw = h"];
  document.backward_source = rows.join("\n");
  const { backward } = listings(new Walk(document));
  const heads = backward.map(({ tokens: line, head }) => head && line[head - 1].text);
  assert.deepEqual(heads, ["=", 0, 0, "=", 0, 0, "="]);
  assert.deepEqual(
    backward.map(({ first }) => first),
    [1, 1, 1, 4, 4, 4, 7],
  );
});

test("a forward step has all rows of its statement, and says its shape once", () => {
  const document = smallWalk();
  const [first, second] = document.forward_source.split("\n");
  document.forward_source = [first.replace(/= (.*)/, "= (\n    $1\n)"), "# a remark", second].join("\n");
  document.steps[1].line = 5;
  const { forward } = listings(new Walk(document));
  assert.deepEqual(
    forward.map(({ step }) => step),
    [0, 0, 0, null, 1],
  );
  assert.deepEqual(
    forward.map(({ shape }) => shape !== null),
    [true, false, false, false, true],
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

test("a line ends after operators, commas and brackets, never inside a name or a number", () => {
  const parts = (/** @type {string} */ line) =>
    unbroken(tokens(line, names)).map((part) => part.tokens.map((token) => token.text).join(""));
  assert.deepEqual(parts("dlogits += F.one_hot(logits.max(1).indices, 27) * dlogit_maxes"), [
    "dlogits +=",
    "F.one_hot(",
    "logits.max(",
    "1).indices,",
    "27) *",
    "dlogit_maxes",
  ]);
  assert.deepEqual(parts("inv = (var + 1e-5)**-0.5"), ["inv =", "(", "var +", "1e-5)**", "-0.5"]);
  assert.deepEqual(parts("y = -x.sum(0, keepdim=True)"), ["y =", "-x.sum(", "0,", "keepdim=True)"]);
  assert.deepEqual(parts("r = F.binary_cross_entropy_with_logits(z)"), [
    "r =",
    "F.",
    "binary_cross_entropy_with_logits(",
    "z)",
  ]);
  assert.deepEqual(parts("dcounts +="), ["dcounts +="]);
  assert.deepEqual(parts("mask = a == 0"), ["mask =", "a ==", "0"]);
});

test("the parts of a line put together are the line", () => {
  for (const line of ["x[range(n), Yb] = -1.0/n  # a = b, c", "    h = torch.tanh( x )", "", "# Embedding, then"]) {
    const parts = unbroken(tokens(line, names));
    const text = parts.map(({ tokens: own, space }) => own.map((token) => token.text).join("") + space).join("");
    assert.equal(text, line);
  }
});
