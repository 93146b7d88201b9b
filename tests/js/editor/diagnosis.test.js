import assert from "node:assert/strict";
import { test } from "node:test";
import { mendOf } from "../../../static/js/editor/diagnosis.js";

/** @param {string} source @param {string} marked @param {string} hint */
function mend(source, marked, hint) {
  const from = source.indexOf(marked);
  const problem = { code: "name-near", message: "There is none.", hint };
  return mendOf({ problem, span: { line: 1, from, to: from + marked.length }, row: null }, source);
}

test("what is meant stands in the marked place; of a method only its name is replaced", () => {
  assert.equal(mend("loss = hdi.mean()", "hdi", "Did you mean `hid`?"), "hid");
  assert.equal(mend("h = torch.tnah(x)", "torch.tnah", "Did you mean `torch.tanh`? All are listed."), "torch.tanh");
  assert.equal(mend("h = (x + y).tnah()", "(x + y).tnah", "Did you mean `.tanh`?"), "(x + y).tanh");
});

test("where the refusal knows no name, or no place, nothing is offered", () => {
  assert.equal(mend("h = x.sum(dmi=0)", "x.sum(dmi=0)", "Leave `dmi` out."), null);
  const problem = { code: "tensor-near", message: "There is none.", hint: "Did you mean `x`?" };
  assert.equal(mendOf({ problem, span: null, row: null }, "h = y"), null);
});
