import assert from "node:assert/strict";
import { test } from "node:test";
import { inputsOf, onOwnInputs, trains } from "../../../static/js/downhill/own-inputs.js";

const STEP = '{"source":"loss = (x * w).sum() # \\"Xb\\":","tensors":{"w":{"role":"parameter","values":[1.0,-0.0]},';
const THEIRS = `${STEP}"Xb":{"role":"data","values":[[1,2],[3,4]]},"Yb":{"role":"target","values":[5,6]}}}`;
const MINE = '{"source":"…","tensors":{"Xb":{"role":"data","values":[[7,8],[9,0]]},"w":{"role":"parameter"}}}';

test("the reader's own examples take the place of a step's, and nothing else is touched", () => {
  const made = onOwnInputs(THEIRS, MINE, ["Xb", "Yb"]);
  const { source, tensors } = JSON.parse(made);
  assert.equal(source, JSON.parse(THEIRS).source);
  assert.deepEqual(tensors.Xb.values, [
    [7, 8],
    [9, 0],
  ]);
  assert.deepEqual(tensors.Yb.values, [5, 6]); // the walk has none of that name
  assert.match(made, /"values":\[1\.0,-0\.0\]/); // as they are written, to the sign of a zero
});

/** @returns {any} */
const walk = () => {
  const nodes = [
    { name: "w", variable: "w", role: "parameter", shape: [2, 3] },
    { name: "Xb", variable: "Xb", role: "data", shape: [32, 3] },
    { name: "h", variable: "h", role: "intermediate", shape: [32, 3] },
    { name: "mask", variable: "mask", role: "constant", shape: [32] },
  ];
  return { document: { nodes }, nodes: new Map(nodes.map((node) => [node.name, node])) };
};

test("inputs are what is given and not learned", () => {
  assert.deepEqual(inputsOf(walk()), ["Xb", "mask"]);
});

test("a run of another network is not this walk's", () => {
  assert.equal(trains(walk(), { w: [2, 3] }), true);
  assert.equal(trains(walk(), { w: [2, 4] }), false);
  assert.equal(trains(walk(), { W1: [2, 3] }), false);
  assert.equal(trains(walk(), {}), false);
});
