import assert from "node:assert/strict";
import { test } from "node:test";
import { countText, find } from "../../../static/js/reference/finder.js";

const ENTRIES = [
  { name: "sum", spellings: ["x.sum(dim=None, keepdim=False)", "torch.sum(x)"], prose: "Sum over all axes." },
  { name: "matmul", spellings: ["x @ y", "torch.mm(x, y)"], prose: "Products summed over a row." },
  { name: "crossentropy", spellings: ["F.cross_entropy(x, target)"], prose: "Mean of -log softmax(x)." },
];

/** @param {string} query */
function names(query) {
  const { written, mentioned } = find(ENTRIES, query);
  return [[...written], [...mentioned]];
}

test("what is written like that comes first, what only mentions it is kept apart", () => {
  assert.deepEqual(names("sum"), [["sum"], ["matmul"]]);
  assert.deepEqual(names("softmax"), [[], ["crossentropy"]]);
});

test("signs and parts of a call are found as they are typed", () => {
  assert.deepEqual(names("@")[0], ["matmul"]);
  assert.deepEqual(names("torch.")[0], ["sum", "matmul"]);
  assert.deepEqual(names("sum keepdim")[0], ["sum"]);
});

test("spaces, capitals and underscores do not matter", () => {
  for (const query of ["cross_entropy", "cross entropy", "CrossEntropy", " F.cross "])
    assert.deepEqual(names(query)[0], ["crossentropy"]);
});

test("nothing typed is everything, nonsense is nothing", () => {
  assert.equal(names("  ")[0].length, 3);
  assert.deepEqual(names("frobnicate"), [[], []]);
});

test("the count speaks of what is shown", () => {
  assert.equal(countText(find(ENTRIES, ""), "", false), "3 operations");
  assert.equal(countText(find(ENTRIES, "sum"), "sum", false), "1 operation");
  assert.equal(countText(find(ENTRIES, "sum"), "sum", true), "2 operations");
});
