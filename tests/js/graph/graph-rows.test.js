import assert from "node:assert/strict";
import { test } from "node:test";
import { rowsOf } from "../../../static/js/graph/graph-rows.js";
import { batchnorm, drawnAtRandom, program, unrolled } from "./programs.js";

test("a row for each line, the way to the loss in the first lane and what branches off it beside", () => {
  const { rows, lanes, spine } = rowsOf(batchnorm);
  assert.deepEqual(
    rows.map(({ name, lane }) => [name, lane]),
    [
      ["hidden", 0],
      ["mean", 1],
      ["centred", 0],
      ["squares", 1],
      ["variance", 1],
      ["scaled", 0],
      ["output", 0],
      ["loss", 0],
    ],
  );
  assert.equal(lanes, 2);
  assert.deepEqual([...spine], ["hidden", "centred", "scaled", "output", "loss"]);
});

test("what is given stands at every line that reads it, and what no line reads stands nowhere", () => {
  const { rows } = rowsOf(unrolled(3));
  assert.deepEqual(
    rows.map(({ inputs }) => inputs.map(({ name, again }) => `${name}${again ? " again" : ""}`)),
    [["x", "W", "b"], ["W again", "b again"], ["W again", "b again"], []],
  );
});

test("what is read again further down has a lane of its own", () => {
  const { rails, rows } = rowsOf(program({ a: ["x"], b: ["a"], c: ["a"], loss: ["b", "c"] }));
  const lane = (/** @type {string} */ from, /** @type {string} */ to) =>
    rails.find((rail) => rows[rail.from].name === from && rows[rail.to].name === to)?.lane;
  assert.equal(lane("a", "b"), 0);
  assert.notEqual(lane("a", "c"), 0);
});

test("in no program do two lines run in one lane, or one through a tensor that it does not come from", () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const { rows, rails, lanes } = rowsOf(drawnAtRandom(seed));
    for (const rail of rails) {
      assert.ok(rail.lane < lanes);
      for (let row = rail.from + 1; row < rail.to; row += 1) {
        assert.notEqual(rows[row].lane, rail.lane, `seed ${seed}: through row ${row}`);
        const beside = rails.filter((other) => other.lane === rail.lane && other.from < row && row < other.to);
        assert.deepEqual([...new Set(beside.map(({ from }) => from))], [rail.from], `seed ${seed}: at row ${row}`);
      }
    }
  }
});
