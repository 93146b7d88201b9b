import assert from "node:assert/strict";
import test from "node:test";
import { barParts } from "../../../static/js/pieces/bars.js";

test("values of one size are drawn in proportion", () => {
  assert.deepEqual(barParts([1, 2, 4]), { parts: [0.25, 0.5, 1], logarithmic: false });
  assert.deepEqual(barParts([0, 0]), { parts: [0, 0], logarithmic: false });
});

test("values of many sizes are drawn by their powers of ten, zero and infinity without a bar", () => {
  const { parts, logarithmic } = barParts([1e-4, 1e-2, 1, 0, "Infinity"]);
  assert.equal(logarithmic, true);
  assert.deepEqual(
    parts.map((part) => part.toFixed(2)),
    ["0.04", "0.52", "1.00", "0.00", "0.00"],
  );
});
