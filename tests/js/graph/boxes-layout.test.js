import assert from "node:assert/strict";
import { test } from "node:test";
import { layOutBoxes, wiresOf } from "../../../static/js/graph/boxes-layout.js";
import { boxesOf } from "../../../static/js/walk/boxes.js";
import { program } from "./programs.js";

/** @param {number} count @param {number} lines @returns {any} so many boxes, each goes on with the one before */
function chain(count, lines) {
  const names = Array.from({ length: count * lines }, (_, i) => `t${i}`);
  const document = program(
    Object.fromEntries(names.map((name, i) => [name, i ? [names[i - 1]] : ["x"]])),
    (name) => `box ${Math.floor(names.indexOf(name) / lines)}`,
  );
  for (const node of document.nodes) node.variable = node.name;
  return document;
}

const ROOMS = [
  [340, 560],
  [236, 420],
  [470, 900],
];

test("boxes stand one below another, whole, closed or around the lines of one that is open", () => {
  for (const [width, height] of ROOMS)
    for (const count of height < 500 ? [2, 5] : [2, 5, 8]) {
      const document = chain(count, 4);
      const boxes = boxesOf(document);
      assert.equal(boxes.length, count);
      const wires = wiresOf(document, boxes);
      for (const open of [null, "1", "2"]) {
        const layout = layOutBoxes(boxes, wires, open, { width, height, type: 13 });
        const rects = [...layout.boxes.values()];
        for (const [i, rect] of rects.entries()) {
          assert.ok(rect.left >= 0 && rect.left + rect.width <= width, "across");
          assert.ok(rect.top >= (i ? rects[i - 1].top + rects[i - 1].height + 4 : 0), "apart");
          assert.ok(rect.top + rect.height <= layout.height, "down");
        }
        assert.equal(layout.height, height, "nothing scrolls");
        const tallest = Math.max(...rects.map((rect) => rect.height));
        if (open) assert.equal(layout.boxes.get(open)?.height, tallest, "the open one is the tallest");
        else assert.equal(layout.inside, null);
        if (layout.inside) assert.ok(layout.inside.height >= 4 * 13, "its lines have room");
      }
    }
});

test("more boxes than there is room for scroll, and none is too low to be read", () => {
  const document = chain(40, 2);
  const boxes = boxesOf(document);
  const layout = layOutBoxes(boxes, wiresOf(document, boxes), null, { width: 300, height: 500, type: 12 });
  assert.ok(layout.height > 500);
  assert.ok([...layout.boxes.values()].every(({ height }) => height >= 3 * 12));
});

test("what passes a box by is drawn beside it, inside the pane", () => {
  const document = program(
    { a: ["x"], b: ["a"], c: ["b"], d: ["c"], e: ["d", "b"], loss: ["e"] },
    (name) => ({ a: "one", b: "one", c: "two", d: "two" })[name] ?? "three",
  );
  for (const node of document.nodes) node.variable = node.name;
  const boxes = boxesOf(document);
  const wires = wiresOf(document, boxes);
  assert.deepEqual(
    wires.map(({ from, to }) => `${from}>${to}`),
    ["1>2", "1>3", "2>3"],
  );
  const layout = layOutBoxes(boxes, wires, null, { width: 300, height: 500, type: 12 });
  const numbers = layout.paths[1].match(/[\d.]+/g)?.map(Number) ?? [];
  const [right] = [...layout.boxes.values()].map(({ left, width }) => left + width);
  assert.equal(numbers[0], right);
  assert.ok(right + 0.75 * (numbers[2] - right) <= 300);
});
