import assert from "node:assert/strict";
import { test } from "node:test";
import { graphOf } from "../../../static/js/figures/drawn-graph.js";
import { layOut } from "../../../static/js/figures/drawn-graph-layout.js";
import { batchnorm, drawnAtRandom, program, unrolled } from "../graph/programs.js";

const LETTERS = { letter: 8, high: 42, height: 900 };

/** @param {any} document as the hand writes it, with shapes and names */
function graphFor({ nodes, ...rest }) {
  const whole = nodes.map((/** @type {any} */ node) => ({ ...node, variable: node.name, role: "data", shape: [2] }));
  return graphOf({ ...rest, nodes: whole });
}

test("a tensor is one node, however many lines read it", () => {
  const graph = graphFor(unrolled(6));
  assert.equal(graph.arrows.filter(({ from }) => from === "W").length, 6);
  assert.deepEqual(
    [...graph.nodes.keys()].filter((name) => name === "W"),
    ["W"],
  );
  assert.ok(!graph.nodes.has("unused"));
});

test("a line that reads a tensor twice has one arrow from it", () => {
  const { arrows } = graphFor(program({ y: ["x", "x"], loss: ["y"] }));
  assert.deepEqual(arrows, [
    { from: "x", to: "y" },
    { from: "y", to: "loss" },
  ]);
});

test("what the first line is made from alone begins the row", () => {
  assert.deepEqual(graphFor(program({ y: ["x"], z: ["y", "x"] })).spine, ["x", "y", "z"]);
  assert.deepEqual(graphFor(program({ y: ["x", "w"], z: ["y"] })).spine, ["y", "z"]);
});

test("lines stand in a row where there is room, else one below another", () => {
  const graph = graphFor(unrolled(4));
  assert.ok(layOut(graph, { ...LETTERS, width: 700 }).row);
  assert.ok(!layOut(graph, { ...LETTERS, width: 300 }).row);
  const long = layOut(graphFor(unrolled(40)), { ...LETTERS, width: 700 });
  assert.ok(long.height <= LETTERS.height);
});

test("no node covers another, and all is within the picture", () => {
  const graphs = [graphFor(batchnorm), ...Array.from({ length: 60 }, (_, i) => graphFor(drawnAtRandom(i + 1)))];
  for (const graph of graphs) {
    for (const width of [320, 736, 1240]) {
      const layout = layOut(graph, { ...LETTERS, width });
      const rects = [...layout.nodes.values()];
      for (const [i, a] of rects.entries()) {
        assert.ok(a.left >= 0 && a.top >= 0);
        assert.ok(a.left + a.width <= layout.width && a.top + a.height <= layout.height);
        for (const b of rects.slice(i + 1)) {
          const apart = a.left + a.width <= b.left || b.left + b.width <= a.left;
          assert.ok(apart || a.top + a.height <= b.top || b.top + b.height <= a.top);
        }
      }
      assert.equal(layout.arrows.length, graph.arrows.length);
    }
  }
});
