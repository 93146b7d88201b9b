import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DEEDS,
  adjusted,
  changeOf,
  changeable,
  cutWords,
  effectWords,
  keyOf,
  partsOf,
  roundUp,
  sliderOf,
  turnsOf,
} from "../../../static/js/changes/sliders.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";

test("a slider reaches twice as far as the change, and its end stays where it was", () => {
  assert.deepEqual(sliderOf({ tensor: "W", scale: 1.8 }), { least: 0, greatest: 4, step: 0.02, value: 1.8 });
  assert.deepEqual(sliderOf({ tensor: "W", scale: 30 }), { least: 0, greatest: 100, step: 0.5, value: 30 });
  assert.deepEqual(sliderOf({ tensor: "W", scale: -2 }), { least: -4, greatest: 4, step: 0.02, value: -2 });
  assert.deepEqual(sliderOf({ tensor: "h", index: [3], value: 0 }), { least: -1, greatest: 1, step: 0.005, value: 0 });
  assert.deepEqual(sliderOf({ tensor: "h", shift: 0.3 }), { least: -1, greatest: 1, step: 0.005, value: 0.3 });
  assert.deepEqual(sliderOf({ tensor: "h", noise: 0.1, seed: 0 }).greatest, 0.2);
  assert.equal(sliderOf({ tensor: "h", noise: 0.01, seed: 0 }, 0.2).greatest, 0.2);
  assert.equal(sliderOf({ tensor: "h", noise: 0.2, seed: 0 }, 0.2).greatest, 0.5);
  assert.deepEqual(sliderOf({ descend: 0.1, steps: 3 }), { least: 1, greatest: 20, step: 1, value: 3 });
  assert.equal(sliderOf({ descend: 0.1, steps: 90 }).greatest, 100);
});

test("sizes are rounded up to 1, 2 or 5", () => {
  assert.deepEqual([0.031, 0.05, 0.7, 1, 3, 60].map(roundUp), [0.05, 0.05, 1, 1, 5, 100]);
});

test("a slider is known by what it moves, not by how far", () => {
  assert.equal(keyOf({ tensor: "W", scale: 2 }), keyOf({ tensor: "W", scale: 3 }));
  assert.notEqual(keyOf({ tensor: "W", scale: 2 }), keyOf({ tensor: "W", shift: 2 }));
  assert.notEqual(keyOf({ tensor: "W", scale: 2 }), keyOf({ tensor: "W", index: [1], scale: 2 }));
});

test("one of several changes gets another size", () => {
  const changes = [
    { tensor: "W", scale: 2 },
    { descend: 0.1, steps: 1 },
  ];
  assert.deepEqual(adjusted(changes, 1, 5), [changes[0], { descend: 0.1, steps: 5 }]);
});

test("what a change did is one sentence with both losses", () => {
  assert.equal(effectWords({ tensor: "W1", scale: 1.8 }, "loss", 3.3421, 3.39), "W1 × 1.8: loss 3.342 to 3.39.");
});

test("the cells that are offered: all, a row, a column, or those that were chosen", () => {
  const indices = (/** @type {ReturnType<typeof partsOf>} */ parts) => parts.map(({ index }) => index);
  assert.deepEqual(indices(partsOf("W", [4, 3], null, null)), [[]]);
  assert.deepEqual(indices(partsOf("W", [4, 3], [2, 1], null)), [[], [2], [null, 1]]);
  assert.deepEqual(indices(partsOf("e", [4, 3, 2], [2, 1, 0], null)), [[], [2], [null, null, 0]]);
  assert.deepEqual(indices(partsOf("b", [3], [2], null)), [[], [2]]);
  assert.deepEqual(indices(partsOf("x", [], [], null)), [[]]);
  const [chosen, all] = partsOf(
    "W",
    [4, 3],
    [0, 0],
    [
      [0, 4],
      [1, 2],
    ],
  );
  assert.deepEqual([chosen.index, chosen.words], [[null, 1], "the 4 chosen cells"]);
  assert.equal(all.words, "all of `W`, 12 cells");
  assert.deepEqual(
    partsOf(
      "W",
      [4, 3],
      [0, 0],
      [
        [1, 3],
        [0, 3],
      ],
    )[0].index,
    [[1, 3]],
  );
});

test("each deed begins in proportion to the numbers that are there", () => {
  assert.deepEqual(
    DEEDS.map(({ kind }) => changeOf(kind, "W", [3], 0.3)),
    [
      { tensor: "W", index: [3], scale: 2 },
      { tensor: "W", index: [3], shift: 0.2 },
      { tensor: "W", index: [3], noise: 0.2, seed: 0 },
      { tensor: "W", index: [3], value: 0 },
      { tensor: "W", index: [3], saturate: 1 },
    ],
  );
  assert.deepEqual(changeOf("shift", "W", [], NaN), { tensor: "W", shift: 0.5 });
});

test("a computed tensor is said to be cut loose, a given one is not", () => {
  const walk = new Walk(smallWalk());
  assert.match(cutWords(walk, "y"), /no longer follows from `y = /);
  assert.equal(cutWords(walk, "x"), "");
});

test("the loss itself is not changed, nor is anything while a question is open", () => {
  const walk = new Walk(smallWalk());
  const frame = (/** @type {string} */ name, asking = false) =>
    /** @type {any} */ ({ walk, asking, node: walk.node(name), state: { cell: null, tensor: null } });
  assert.equal(changeable(frame("x")), "x");
  assert.equal(changeable(frame("loss")), null);
  assert.equal(changeable(frame("x", true)), null);
});

test("two changes of the same cells are told apart by their turn", () => {
  const [scale, shift] = [
    { tensor: "W", scale: 2 },
    { tensor: "W", shift: 1 },
  ];
  const keys = turnsOf([scale, shift, { ...scale, scale: 3 }]);
  assert.equal(new Set(keys).size, 3);
  assert.deepEqual(turnsOf([shift, scale]), [keys[1], keys[0]], "each keeps its own wherever it stands");
});
