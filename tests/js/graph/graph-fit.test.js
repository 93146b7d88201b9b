import assert from "node:assert/strict";
import { test } from "node:test";
import { edgeWidths } from "../../../static/js/graph/edge-widths.js";
import { fitGraph } from "../../../static/js/graph/graph-fit.js";
import { boxOf, unitOf } from "../../../static/js/equation/equation-layout.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";

test("no two nodes of the graph touch, however narrow the column", () => {
  for (const room of [120, 300, 900]) {
    const rects = [...fitGraph(smallWalk(), room).nodes.values()];
    for (const [i, a] of rects.entries()) {
      for (const b of rects.slice(i + 1)) {
        const apart =
          a.left + a.width <= b.left ||
          b.left + b.width <= a.left ||
          a.top + a.height <= b.top ||
          b.top + b.height <= a.top;
        assert.ok(apart, JSON.stringify([room, a, b]));
      }
    }
  }
});

test("a group's name stands clear of every node and edge", () => {
  const { groups, nodes } = fitGraph(smallWalk(), 300);
  const { label } = groups[0];
  for (const rect of nodes.values()) {
    assert.ok(
      label.left + label.width <= rect.left ||
        rect.left + rect.width <= label.left ||
        label.top + label.height <= rect.top ||
        rect.top + rect.height <= label.top,
    );
  }
});

test("edges are as wide as their gradient is large", () => {
  const widths = edgeWidths(new Walk(smallWalk()));
  assert.deepEqual([...widths.keys()].sort(), ["w>y", "x>y", "y>loss"]);
  assert.ok((widths.get("x>y")?.width ?? 0) > (widths.get("y>loss")?.width ?? 9));
});

test("one unit for a whole equation, and nothing wider than the room", () => {
  const piece = (/** @type {number[]} */ shape) =>
    /** @type {any} */ ({ type: "tensor", label: "t", shape, stretch: null });
  const room = {
    width: 600,
    most: 600,
    height: 150,
    sign: 40,
    slot: 78,
    thin: 12,
    cell: /** @type {[number, number]} */ ([58, 30]),
  };
  const row = [
    piece([32, 64]),
    { type: "sign", text: "⊙", words: "" },
    piece([32, 64]),
    { type: "sign", text: "=", words: "" },
    piece([32, 1]),
  ];
  const unit = unitOf(/** @type {any} */ (row), room);
  const boxes = [
    [32, 64],
    [32, 64],
    [32, 1],
  ].map(([rows, cols]) => boxOf({ rows, cols }, unit, room.thin));
  assert.ok(boxes.reduce((sum, box) => sum + box.width, 80) <= 600);
  assert.equal(boxes[0].height, boxes[2].height);
  assert.ok(boxes[0].height <= 150 && boxes[2].width === 12);
});

test("a tensor that no line reads has no place in the graph", () => {
  const document = smallWalk();
  document.nodes.push({ ...document.nodes[0], name: "unused", variable: "unused", position: null });
  assert.deepEqual([...fitGraph(document, 300).nodes.keys()], ["x", "w", "y", "loss"]);
});

test("a graph that is a little too wide is drawn smaller, so that its right edge is not cut", () => {
  const { width } = fitGraph(smallWalk(), 10);
  for (const room of [width * 0.9, width, width * 2]) {
    const fitted = fitGraph(smallWalk(), room);
    assert.ok(fitted.width * fitted.zoom <= room + 0.01 && fitted.zoom > 0.78 && fitted.zoom <= 1, `${room}`);
  }
  assert.equal(fitGraph(smallWalk(), width / 3).zoom, 0.78);
});

test("where there is little height rows move together, then the sheet is drawn smaller, down to a limit", () => {
  const [free, low, least] = [Infinity, 100, 10].map((tall) => fitGraph(smallWalk(), 300, tall));
  const pitch = (/** @type {typeof free} */ { nodes }) => (nodes.get("y")?.top ?? 0) - (nodes.get("x")?.top ?? 0);
  assert.equal(pitch(free), 40);
  assert.ok(pitch(low) < 40 && pitch(low) >= 32);
  assert.ok(low.height * low.zoom <= 100);
  assert.equal(pitch(least), 32);
  assert.equal(least.zoom, 0.78);
});
