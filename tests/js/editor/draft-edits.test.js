import assert from "node:assert/strict";
import { test } from "node:test";
import { withAdded, withField, without } from "../../../static/js/editor/draft-edits.js";
import { constantRow, tensorRow } from "../../../static/js/editor/draft.js";

const x = tensorRow({ name: "x", shape: "2", seed: "4" });
const n = constantRow({ name: "n", value: "3" });
const TABLES = { tensors: [x], constants: [n] };

test("a field is changed in its own row, and nothing in the tables that were", () => {
  const { tensors, constants } = withField(TABLES, n.id, "value", "5");
  assert.deepEqual([tensors, constants], [[x], [{ ...n, value: "5" }]]);
  assert.equal(withField(TABLES, x.id, "shape", "3, 2").tensors[0].shape, "3, 2");
  assert.deepEqual([x.shape, n.value], ["2", "3"]);
});

test("rows leave either table", () => {
  assert.deepEqual(
    without(TABLES, ({ name }) => name === "x"),
    { tensors: [], constants: [n] },
  );
  assert.deepEqual(
    without(TABLES, ({ id }) => id === n.id),
    { tensors: [x], constants: [] },
  );
});

test("every tensor that is added has what its use tells and a seed of its own", () => {
  const added = ["w", "", "b"].map((name) => ({ name, number: false }));
  const { tensors, first } = withAdded(TABLES, added, (name) => (name === "w" ? { name, shape: "2, 3" } : { name }));
  assert.deepEqual(
    tensors.map(({ name, shape }) => [name, shape]),
    [
      ["x", "2"],
      ["w", "2, 3"],
      ["", ""],
      ["b", ""],
    ],
  );
  assert.equal(new Set(tensors.map(({ seed }) => seed)).size, 4);
  assert.deepEqual(first, { id: tensors[1].id, field: "shape" });
});

test("what is to be filled in next is the name where it has none, a tensor's shape or a number's value", () => {
  const next = (/** @type {import("../../../static/js/editor/draft-edits.js").Added[]} */ added) =>
    withAdded(TABLES, added, (name) => ({ name })).first?.field;
  assert.equal(next([{ name: "", number: false }]), "name");
  assert.equal(next([{ name: "k", number: true }]), "value");
  assert.equal(
    next([
      { name: "k", number: true },
      { name: "w", number: false },
    ]),
    "shape",
  );
  assert.equal(next([]), undefined);
});
