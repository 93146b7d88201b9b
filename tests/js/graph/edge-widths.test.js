import assert from "node:assert/strict";
import { test } from "node:test";
import { edgeWidths, referenceSizes, widthOf } from "../../../static/js/graph/edge-widths.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";

const SPINE = new Set(["y", "loss"]);

test("edges are as wide as the gradient's norm across them is large", () => {
  const { flows } = edgeWidths(new Walk(smallWalk()), SPINE);
  const size = (/** @type {string} */ key) => flows.get(key)?.size ?? 0;
  assert.deepEqual([...flows.keys()].sort(), ["w>y", "x>y", "y>loss"]);
  assert.ok(Math.abs(size("x>y") - Math.sqrt(12)) < 1e-6);
  assert.ok(Math.abs(size("y>loss") - Math.sqrt(6)) < 1e-6);
  assert.ok(Math.abs(size("w>y") - Math.sqrt(25 + 49 + 81)) < 1e-6);
  assert.ok((flows.get("w>y")?.width ?? 0) > (flows.get("x>y")?.width ?? 99));
  assert.ok((flows.get("x>y")?.width ?? 0) > (flows.get("y>loss")?.width ?? 99));
});

test("the widest is as wide as can be, a true zero as thin, and the least on the way to the loss between them", () => {
  const document = smallWalk();
  document.steps.find((/** @type {any} */ step) => step.index === 6).norm = 0;
  const { flows, least, largest } = edgeWidths(new Walk(document), SPINE);
  assert.equal(flows.get("w>y")?.width, 9);
  assert.equal(flows.get("x>y")?.width, 1);
  const main = flows.get("y>loss")?.width ?? 0;
  assert.ok(main > 2 && main < 9, `${main}`);
  assert.deepEqual([widthOf(least, least, largest), widthOf(largest, least, largest)], [1, 9]);
});

test("two widths are told in numbers that are easily said, within the scale", () => {
  for (const [least, largest] of [
    [0.0237, 6.07],
    [1.5e-5, 0.31],
    [0.4, 12],
    [1, 1e4],
  ]) {
    const [low, high] = referenceSizes(least, largest);
    assert.ok(least < low && low < high && high <= largest, `${[least, low, high, largest]}`);
    for (const size of [low, high]) assert.match(size.toExponential(), /^[125]e/);
    assert.ok(widthOf(high, least, largest) > 2 * widthOf(low, least, largest), `${[low, high]}`);
  }
  assert.deepEqual(referenceSizes(0, 0), []);
});
