import assert from "node:assert/strict";
import { test } from "node:test";
import { diagnoses, faultAt, faultsText, keptAmong, missingIn } from "../../../static/js/editor/diagnosis.js";
import { emptyDraft } from "../../../static/js/editor/draft.js";

const SOURCE = "h = torch.tahn(x)\nz = hh * W\nloss = z.mean()";
const FAULT = {
  code: "function-unknown",
  message: "There is no `torch.tahn`.",
  hint: "Did you mean `torch.tanh`?",
  where: { line: 1, column: 5, end_column: 15, text: "torch.tahn" },
  others: [
    { code: "name-near", message: "hh", where: { line: 2, column: 5, end_column: 7, text: "hh" } },
    { code: "name-unknown", message: "W", where: { line: 2, column: 10, end_column: 11, text: "W" } },
  ],
};

test("each of several faults has its place, and the caret finds it", () => {
  const faults = diagnoses(FAULT, emptyDraft(SOURCE));
  assert.deepEqual(
    faults.map(({ span }) => span && SOURCE.split("\n")[span.line - 1].slice(span.from, span.to)),
    ["torch.tahn", "hh", "W"],
  );
  assert.equal(faultAt(faults, SOURCE, SOURCE.indexOf("hh") + 1), 1);
  assert.equal(faultAt(faults, SOURCE, SOURCE.indexOf("loss")), -1);
  assert.deepEqual(faults.map(missingIn), [null, null, "W"]);
});

test("the one that is looked at stays, while there is one; else it is the first", () => {
  const faults = diagnoses(FAULT, emptyDraft(SOURCE));
  assert.equal(keptAmong(faults.slice(1), faults[2]), 1);
  assert.equal(keptAmong(faults.slice(0, 2), faults[2]), 0);
  assert.equal(keptAmong([], faults[0]), 0);
});

test("their number is told with their lines, each line once, and not all of many", () => {
  const faults = diagnoses(FAULT, emptyDraft(SOURCE));
  assert.equal(faultsText(faults), "3 faults, in lines 1 and 2.");
  assert.equal(faultsText(faults.slice(1)), "2 faults, in line 2.");
  const many = Array.from({ length: 9 }, (_, i) => ({ ...faults[0], span: { line: i + 1, from: 0, to: 1 } }));
  assert.equal(faultsText(many), "9 faults, in lines 1, 2, 3, 4, 5 and more.");
});
