import assert from "node:assert/strict";
import { test } from "node:test";
import { diagnose, moved, selectionOf } from "../../../static/js/editor/diagnosis.js";
import { contentOf, draftOf, emptyDraft, tensorRow } from "../../../static/js/editor/draft.js";
import { parseNumbersAsText } from "../../../static/js/editor/verbatim-json.js";
import { lex } from "../../../static/js/editor/lexer.js";
import { indicesIn, looksLikeNumber, namesIn, nextSeed, usualTensor } from "../../../static/js/editor/program-names.js";
import { bodyOf, mistakesIn, outlineOf, shapeIn } from "../../../static/js/editor/request.js";

const REQUEST = `{"source":"y = (x * w).sum() / n","tensors":{
  "x":{"role":"data","values":[[1.0,2],[3,4]]},"i":{"role":"data","values":[1,0]},
  "w":{"role":"parameter","shape":[2,2],"init":"randn","scale":0.5,"seed":3},
  "s":{"role":"parameter","shape":[],"init":"ones"},
  "k":{"role":"target","shape":[4],"init":"randint","low":1,"high":5}},
  "constants":{"n":4.0},"loss":"y","dims":{"x":["example","feature"]},"dtype":"float64","exact":false}`;

test("a request becomes a form and the form the same request, 1.0 staying 1.0", () => {
  const body = bodyOf(draftOf(parseNumbersAsText(REQUEST)));
  assert.deepEqual(JSON.parse(body), JSON.parse(REQUEST));
  assert.match(body, /\[\[1\.0,2\],\[3,4\]\]/);
  assert.match(body, /"n":4\.0/);
});

test("shapes are read as people write them", () => {
  const cases = /** @type {[string, number[]|null][]} */ ([
    ["32, 27", [32, 27]],
    ["(32, 27)", [32, 27]],
    ["(5,)", [5]],
    ["32×27", [32, 27]],
    ["3 x 4", [3, 4]],
    ["[2, 3]", [2, 3]],
    ["torch.Size([2, 3])", [2, 3]],
    ["3 4", [3, 4]],
    ["()", []],
    ["[]", []],
    ["7", [7]],
    ["", null],
    ["a, b", null],
    ["-1", null],
    ["2.5", null],
    ["3,,4", null],
  ]);
  for (const [text, shape] of cases) assert.deepEqual(shapeIn(text), shape, text);
});

test("every mistake of the form is at its field", () => {
  const draft = {
    ...emptyDraft("y = x"),
    tensors: [
      tensorRow({ name: "x", shape: "2, 3", axes: "row" }),
      tensorRow({ name: "x", shape: "two" }),
      tensorRow({ name: "2x", shape: "" }),
      tensorRow({ name: "v", fill: "values", values: "[1, z]" }),
      tensorRow({ name: "i", fill: "randint", shape: "4", high: "" }),
      tensorRow({ name: "j", fill: "randint", shape: "4", low: "5", high: "5" }),
      tensorRow({ name: "r", shape: "()", seed: "1.5", scale: "big" }),
    ],
  };
  const at = mistakesIn(draft).map(({ id, field }) => `${draft.tensors.findIndex((row) => row.id === id)} ${field}`);
  assert.deepEqual(at.sort(), [
    "0 axes",
    "1 name",
    "1 shape",
    "2 name",
    "2 shape",
    "3 values",
    "4 high",
    "5 high",
    "6 scale",
    "6 seed",
  ]);
});

test("the names that a program needs, in the order it asks for them", () => {
  const cases = /** @type {[string, string[]][]} */ ([
    ["h = torch.tanh(x @ W + b)\nloss = h.mean()", ["x", "W", "b"]],
    ["counts = logits.exp()  # not a_name", ["logits"]],
    ["s = x.sum(1, keepdim=True)", ["x"]],
    ["loss = -logprobs[range(n), Yb].mean()", ["logprobs", "n", "Yb"]],
    ["for t in range(T):\n    h = torch.tanh(x[:, t] @ W + h0)\n    h0 = h", ["T", "x", "W", "h0"]],
    ["y = F.softmax(\n    z,\n    dim=axis,\n)", ["z", "axis"]],
    ["h = h * 2", ["h"]],
    ["a, b = x.split(2)\nc = a + b", ["x"]],
    ["y = torch.einsum('ij,jk->ik', A, B)", ["A", "B"]],
    ["mask = x == y", ["x", "y"]],
    ["import torch\ny = x", ["x"]],
    ["y = x @ (", ["x"]],
  ]);
  for (const [source, needed] of cases) assert.deepEqual(namesIn(source).needed, needed, source);
});

test("a name is offered as what it usually is", () => {
  assert.ok(looksLikeNumber("n") && looksLikeNumber("n_hidden") && !looksLikeNumber("norm") && !looksLikeNumber("W"));
  assert.deepEqual(
    [usualTensor("Yb").role, usualTensor("x").role, usualTensor("W1").role, usualTensor("xavier").role],
    ["target", "data", "parameter", "parameter"],
  );
});

test("the pieces of a line are the line", () => {
  for (const line of [
    "h = torch.tanh(x @ W) # a 'comment'",
    "  y = x**2.e-5 - .5",
    "s = 'it\\'s' + \"open",
    "größe = 𝛼 ≠ \t1_000",
    "",
  ]) {
    assert.equal(
      lex(line)
        .map(({ text }) => text)
        .join(""),
      line,
    );
  }
});

test("a refusal is found where it belongs", () => {
  const draft = { ...emptyDraft("𝛼 = 1\ny = 𝛼 * xx\nz = (y"), tensors: [tensorRow({ name: "x", shape: "2" })] };
  const problem = { code: "name-near", message: "There is no `xx`.", where: { line: 2, column: 9, end_column: 11 } };
  const { span } = diagnose(problem, draft);
  assert.ok(span);
  assert.equal(draft.source.slice(...selectionOf(draft.source, span)), "xx");
  const open = diagnose({ ...problem, where: { line: 3, column: 7, end_column: 8 } }, draft).span;
  assert.ok(open);
  assert.equal(draft.source.slice(...selectionOf(draft.source, open)), "y");
  assert.equal(
    diagnose({ code: "request-invalid", message: "tensors.x.values: must be finite." }, draft).row,
    draft.tensors[0].id,
  );
  assert.equal(
    diagnose({ code: "tensor-values", message: "The values of `x` are not a regular array." }, draft).row,
    draft.tensors[0].id,
  );
  assert.deepEqual(
    { ...diagnose({ code: "busy", message: "Busy." }, draft), problem: null },
    { problem: null, span: null, row: null },
  );
});

test("lines keep their shapes while others are typed", () => {
  const place = moved(["a", "b", "c", "d"], ["a", "new", "B", "c", "d"]);
  assert.deepEqual([1, 2, 3, 4].map(place), [1, null, 4, 5]);
});

test("content ignores the identity of rows", () => {
  assert.equal(contentOf(draftOf(parseNumbersAsText(REQUEST))), contentOf(draftOf(parseNumbersAsText(REQUEST))));
});

test("an added tensor draws numbers of its own", () => {
  assert.equal(nextSeed([]), 1);
  assert.equal(nextSeed([{ seed: "" }, { seed: "7" }, { seed: "3" }]), 8);
  assert.equal(nextSeed([{ seed: "seven" }]), 1);
});

test("an unfinished form is asked about by its names alone", () => {
  const draft = { ...emptyDraft("y = x * w"), tensors: [tensorRow({ name: "x" }), tensorRow({ name: "9" })] };
  assert.deepEqual(JSON.parse(outlineOf(draft)), {
    source: "y = x * w",
    tensors: {},
    dtype: "float32",
    unfinished: ["x"],
  });
  assert.deepEqual(JSON.parse(outlineOf({ ...draft, tensors: [tensorRow()] })).unfinished.length, 1);
});

test("names that pick places or classes are told from those that are computed with", () => {
  const cases = /** @type {[string, string[]][]} */ ([
    ["emb = C[Xb]\nloss = -logprobs[range(n), Yb].mean()", ["Xb", "range", "n", "Yb"]],
    ["loss = F.cross_entropy(x @ W, Y)", ["Y"]],
    ["h = F.one_hot(k, 5) @ W", ["k"]],
    ["e = F.embedding(idx, C)", ["idx", "C"]],
    ["y = x.gather(1, places) + table[rows(i)]", ["places", "rows", "i"]],
    ["y = torch.stack([a, b]) * x", []],
    ["y = x[\n  i,\n]", ["i"]],
  ]);
  for (const [source, found] of cases) assert.deepEqual([...indicesIn(source)], found, source);
});

test("whole numbers that are computed with are sent as decimals, those that pick places are not", () => {
  const row = (/** @type {any} */ more) =>
    tensorRow({ fill: "values", role: "data", values: "[[1, -20], [0, 7]]", ...more });
  const draft = {
    ...emptyDraft("y = C[i] @ x + b"),
    tensors: [
      row({ name: "x" }),
      row({ name: "i" }),
      row({ name: "t", role: "target" }),
      row({ name: "b", role: "parameter" }),
      row({ name: "forced", whole: "whole" }),
      row({ name: "C", role: "target", whole: "decimals" }),
      row({ name: "m", values: "[True, False]" }),
      row({ name: "d", values: "[1, 2.5]" }),
    ],
  };
  const body = bodyOf(draft);
  const sent = (/** @type {string} */ name) => /"values":([^"}]*)/.exec(body.slice(body.indexOf(`"${name}":`)))?.[1];
  const [floats, whole] = ["[[1.0,-20.0],[0.0,7.0]]", "[[1,-20],[0,7]]"];
  assert.deepEqual(["x", "i", "t", "b", "forced", "C"].map(sent), [floats, whole, whole, floats, whole, floats]);
  assert.deepEqual(["m", "d"].map(sent), ["[true,false]", "[1,2.5]"]);
});
