import assert from "node:assert/strict";
import { test } from "node:test";
import { codeAt, codeLines, codeTint, codesText } from "../../../static/js/shared/category-codes.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";

/** @param {object} more @returns {Walk} with letters as whole numbers */
function coded(more) {
  const document = smallWalk();
  const bdata = Buffer.from(new Uint8Array(new Int32Array([0, 2, 1]).buffer)).toString("base64");
  Object.assign(document.nodes[1], { value: { dtype: "i4", shape: "3", bdata }, gradient: null }, more);
  return new Walk(document);
}

test("whole numbers that name something are written as what they name", () => {
  const walk = coded({ values_name: "class" });
  const tensor = walk.tensor(walk.node("w").value);
  assert.deepEqual(
    [...tensor.data].map((value) => codeAt(tensor, value)),
    ["a", "c", "b"],
  );
  assert.equal(codesText(tensor), "3\u00a0classes");
});

test("whole numbers without names are written as they are, and decimals are amounts", () => {
  const walk = coded({});
  const tensor = walk.tensor(walk.node("w").value);
  assert.deepEqual(
    [...tensor.data].map((value) => codeAt(tensor, value)),
    ["0", "2", "1"],
  );
  assert.equal(codesText(tensor), "whole numbers, 0 to 2");
  assert.equal(walk.tensor(walk.node("x").value).codes, null);
});

test("without room for names equal ones look alike, and larger is not darker", () => {
  const tints = Array.from({ length: 27 }, (_, value) => codeTint(value));
  assert.equal(tints[3], tints[10]);
  assert.ok(tints.slice(1).every((tint, i) => Math.abs(tint - tints[i]) > 0.05));
  assert.ok(tints[5] < tints[4]);
  assert.ok(codeTint(-1) >= 0);
});

test("of narrow rows every second one is written, the last of all within the picture", () => {
  const walk = coded({ values_name: "class" });
  const tensor = walk.tensor(walk.node("w").value);
  for (const focus of [4, 5]) {
    const { size, lines } = codeLines(tensor, { rows: 32, cols: 1 }, { width: 40, height: 248, focus });
    assert.deepEqual(
      lines.map(({ row }) => row),
      Array.from({ length: 16 }, (_, i) => (focus % 2) + 2 * i),
    );
    for (const { y } of lines) assert.ok(size / 2 <= y && y <= 248 - size / 2);
  }
});
