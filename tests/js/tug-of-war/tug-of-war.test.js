import assert from "node:assert/strict";
import { test } from "node:test";
import { Tensor } from "../../../static/js/shared/tensor.js";
import {
  chanceText,
  clickMeans,
  closedText,
  ropeOf,
  strongestPull,
  upText,
} from "../../../static/js/tug-of-war/tug-of-war.js";
import { wire } from "../document.js";

test("the right class is pulled up by what the others are pushed down", () => {
  const gradient = new Tensor(wire([0.1, -0.4, 0.3, -0.05, 0.03, 0.02], [2, 3]));
  const rope = ropeOf(gradient, [1, 0], 0);
  assert.ok(Math.abs(rope.up - 0.4) < 1e-6 && Math.abs(rope.down - 0.4) < 1e-6 && rope.balanced);
  assert.deepEqual(
    rope.pushes.map((pull) => pull.column),
    [2, 0],
  );
  assert.ok(Math.abs(rope.probability - 0.2) < 1e-6);
});

test("a rope that does not balance is said not to", () => {
  assert.equal(ropeOf(new Tensor(wire([0.5, -0.1], [1, 2])), [1], 0).balanced, false);
});

test("a probability is told beside a blind guess, and is that of the softmax", () => {
  const logits = [
    [0.2, 1.1, -0.4],
    [2, -1, 0.5],
    [0, 0, 0],
    [9, -9, 0],
  ];
  const targets = [1, 0, 2, 0];
  const shares = logits.map((row) =>
    row.map((one) => Math.exp(one) / row.reduce((sum, other) => sum + Math.exp(other), 0)),
  );
  const gradient = shares.flatMap((row, i) =>
    row.map((share, j) => (share - Number(targets[i] === j)) / logits.length),
  );
  const ropes = targets.map((_, row) => ropeOf(new Tensor(wire(gradient, [4, 3])), targets, row));
  ropes.forEach((rope, row) => assert.ok(Math.abs(rope.probability - shares[row][targets[row]]) < 1e-6));
  assert.equal(chanceText(ropes[2]), "had 33 %; guessing blindly gives 33 %.");
  assert.equal(
    chanceText({ ...ropes[0], probability: 0.056, chance: 1 / 27 }),
    "had 5.6 %; guessing blindly gives 3.7 %.",
  );
});

test("the closed form is told with a row's own numbers, and they are true", () => {
  const logits = [0.2, 1.1, -0.4, 2, -1, 0.5];
  const shares = [logits.slice(0, 3), logits.slice(3)].map((row) =>
    row.map((one) => Math.exp(one) / row.reduce((sum, other) => sum + Math.exp(other), 0)),
  );
  const targets = [2, 0];
  const gradient = shares.flatMap((row, i) => row.map((share, j) => (share - Number(targets[i] === j)) / 2));
  for (const row of [0, 1]) {
    const rope = ropeOf(new Tensor(wire(gradient, [2, 3])), targets, row);
    const text = closedText(rope, ["a", "b", "c"]).replaceAll("−", "-");
    const [right, other] = text.split(/, (?=“)/);
    const [, name, p, n, value] = /^“(\w)” gets \((\S+) - 1\) \/ (\d+) = (\S+)$/.exec(right) ?? [];
    assert.equal(name, "abc"[targets[row]]);
    assert.ok(Math.abs((Number(p) - 1) / Number(n) - Number(value)) < 1e-3 && Number(n) === 2);
    assert.ok(Math.abs(Number(value) - gradient[row * 3 + targets[row]]) < 1e-3);
    const [, second, q, m, push] = /^“(\w)” (\S+) \/ (\d+) = (\S+)$/.exec(other) ?? [];
    assert.ok(Math.abs(Number(q) / Number(m) - Number(push)) < 1e-3);
    assert.ok(Math.abs(Number(push) - gradient[row * 3 + "abc".indexOf(second)]) < 1e-3);
  }
});

test("why a negative gradient pulls up is said where it is one", () => {
  const rope = ropeOf(new Tensor(wire([0.5, -0.5], [1, 2])), [1], 0);
  assert.match(upText(rope), /^Negative gradient.*against it lifts/);
  assert.equal(upText({ ...rope, up: 0 }), "");
});

test("the first click chooses a row, the next one inside it opens a cell", () => {
  assert.equal(clickMeans(null, 0, true, false), "row", "row 0 is shown at first, but nobody has chosen it");
  assert.equal(clickMeans(3, 5, true, false), "row");
  assert.equal(clickMeans(5, 5, true, false), "cell");
  assert.equal(clickMeans(5, 5, false, false), "row", "a label is no cell");
  assert.equal(clickMeans(5, 7, true, true), "cell", "beside an open number a click moves to another one");
});

test("the strongest pull of a board is that of its worst predicted row", () => {
  const gradient = new Tensor(wire([0.1, -0.4, 0.3, -0.05, 0.03, 0.02], [2, 3]));
  assert.ok(Math.abs(strongestPull(gradient, [1, 0]) - 0.4) < 1e-6);
});
