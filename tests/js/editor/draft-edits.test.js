import assert from "node:assert/strict";
import { test } from "node:test";
import {
  sizesOf,
  withAdded,
  withField,
  withGuesses,
  withSize,
  without,
} from "../../../static/js/editor/draft-edits.js";
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

/** @param {string} name @param {any} row @param {any[]} letters */
const need = (name, row, letters = []) =>
  /** @type {any} */ ({ name, row, letters, kind: row.role ? "decimals" : "number", because: "So that it fits." });

test("guesses become rows with their reasons, and letters for the lengths that they share", () => {
  const drawn = { role: "parameter", shape: [8, 6], init: "randn", scale: 0.35 };
  const made = withGuesses({ tensors: [], constants: [] }, [
    need("w", drawn, ["C", null]),
    need("eps", { values: 1e-5 }),
  ]);
  const [row] = made.tensors;
  assert.deepEqual([row.name, row.shape, row.scale, row.guess], ["w", "8, 6", "0.35", "So that it fits."]);
  assert.deepEqual([made.constants[0].name, made.constants[0].value], ["eps", "0.00001"]);
  assert.deepEqual([...sizesOf(made.tensors)], [["C", 8]]);
});

test("a row that is there stays as it is", () => {
  const tables = { tensors: [tensorRow({ name: "w", shape: "2" })], constants: [] };
  const drawn = { role: "parameter", shape: [8], init: "randn" };
  assert.deepEqual(withGuesses(tables, [need("w", drawn)]).tensors, tables.tensors);
});

test("a size is changed in all guesses at once; what only follows from it is left out, to be guessed anew", () => {
  const row = (/** @type {number[]} */ shape) => ({ role: "data", shape, init: "randn" });
  const needs = [need("x", row([4, 8]), ["B", "C"]), need("w", row([24, 8]), [null, "C"]), need("b", row([8]), ["C"])];
  const made = withSize(withGuesses({ tensors: [], constants: [] }, needs), "C", "16");
  assert.deepEqual(
    made.tensors.map(({ name, shape }) => `${name} ${shape}`),
    ["x 4, 16", "b 16"],
  );
});

test("what is changed by hand is no guess any more", () => {
  const drawn = { role: "parameter", shape: [8, 6], init: "randn" };
  const { tensors, constants } = withGuesses({ tensors: [], constants: [] }, [need("w", drawn, ["C", "H"])]);
  const [row] = withField({ tensors, constants }, tensors[0].id, "shape", "8, 7").tensors;
  assert.deepEqual([row.guess, row.letters], ["", ""]);
});
