import assert from "node:assert/strict";
import { test } from "node:test";
import { frameOf } from "../../../static/js/walk/frame.js";
import {
  boxOf,
  extended,
  feltMost,
  heldIn,
  loudest,
  markIn,
  opening,
  picked,
  reachIn,
  shut,
} from "../../../static/js/walk/pick.js";
import { Predictions } from "../../../static/js/quiz/predictions.js";
import { Tensor } from "../../../static/js/shared/tensor.js";
import { crumbText, followed, returned, trailIn } from "../../../static/js/walk/trail.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk, wire } from "../document.js";
import { calm } from "../state.js";

const walk = new Walk(smallWalk());
/** @param {object} state */
const at = (state) => frameOf(walk, /** @type {any} */ ({ ...calm, ...state }), new Predictions());

test("a number that is not computed yet is not looked into", () => {
  assert.equal(at({ step: 3, cell: [1, 2], of: "value", tensor: "x" }).pick?.which, "value");
  assert.equal(at({ step: 3, cell: [1, 2], of: "gradient", tensor: "x" }).pick, null);
  assert.deepEqual(at({ step: 6, cell: [1, 2], of: "gradient" }).pick, {
    tensor: "x",
    which: "gradient",
    index: [1, 2],
  });
  assert.equal(at({ step: 0, cell: [], of: "value", tensor: "loss" }).pick, null);
});

test("what is no cell, or only marked, opens nothing", () => {
  assert.equal(at({ step: 6, cell: [1, 3], of: "gradient" }).pick, null);
  assert.equal(at({ step: 6, cell: [1], of: "gradient" }).pick, null);
  assert.equal(at({ step: 6, cell: [1, 2] }).pick, null);
  assert.equal(at({ step: 6, cell: [1, 2], of: "value", tensor: "nobody" }).pick, null);
});

test("a gradient to which a path is missing is what the path before brought", () => {
  assert.deepEqual(at({ step: 4, cell: [1], of: "gradient" }).pick, {
    tensor: "w",
    which: "contribution",
    index: [1],
    step: 4,
  });
  assert.deepEqual(at({ step: 5, cell: [1], of: "gradient" }).pick, { tensor: "w", which: "gradient", index: [1] });
  assert.deepEqual(at({ step: 5, cell: [1], of: "contribution" }).pick, {
    tensor: "w",
    which: "contribution",
    index: [1],
    step: 5,
  });
  assert.equal(at({ step: 5, cell: [1], of: "contribution", path: 4 }).pick?.step, 4);
  assert.equal(at({ step: 4, cell: [1], of: "contribution", path: 5 }).pick, null);
});

test("a gradient that is being asked stays closed", () => {
  assert.equal(at({ step: 4, predict: true, cell: [1], of: "gradient" }).pick, null);
  assert.equal(at({ step: 4, predict: true, cell: [1], of: "contribution" }).pick, null);
  assert.equal(at({ step: 4, predict: true, cell: [1], of: "value" }).pick?.which, "value");
});

test("a pick names another tensor and another step's contribution only where it must", () => {
  const frame = at({ step: 5 });
  assert.deepEqual(picked(frame, { tensor: "w", of: "gradient" }, [1]), {
    cell: [1],
    of: "gradient",
    tensor: null,
    path: null,
    trail: [],
    reach: null,
  });
  assert.deepEqual(picked(frame, { tensor: "y", of: "gradient" }, [1, 0]), {
    cell: [1, 0],
    of: "gradient",
    tensor: "y",
    path: null,
    trail: [],
    reach: null,
  });
  assert.equal(picked(frame, { tensor: "w", of: "contribution", path: 4 }, [1]).path, 4);
  assert.equal(picked(frame, { tensor: "w", of: "contribution", path: 5 }, [1]).path, null);
  assert.deepEqual(markIn(at({ step: 5, cell: [1] }), { tensor: "w", of: "value" }), [1]);
  assert.equal(markIn(at({ step: 5, cell: [1], tensor: "y" }), { tensor: "w", of: "value" }), null);
});

test("several cells are those between two corners of one picture", () => {
  const subject = { tensor: "w", of: /** @type {const} */ ("value") };
  assert.deepEqual(extended(at({ step: 5, cell: [1] }), subject, [0]), { reach: [0] });
  assert.deepEqual(extended(at({ step: 5, cell: [1], reach: [0] }), subject, [1]), { reach: null });
  assert.deepEqual(extended(at({ step: 5 }), subject, [0]).cell, [0]);
  assert.deepEqual(reachIn(at({ step: 5, cell: [1], reach: [0] }), subject), [0]);
  assert.equal(reachIn(at({ step: 5, cell: [1], reach: [0], tensor: "y" }), subject), null);
  assert.deepEqual(boxOf([3, 0], [1, 2]), [
    [1, 4],
    [0, 3],
  ]);
});

test("a look inside begins at the loudest finite number", () => {
  assert.deepEqual(loudest(new Tensor(wire([1, -7, Infinity, 3], [2, 2]))), [0, 1]);
  assert.deepEqual(opening(at({ step: 6 })), { subject: { tensor: "x", of: "gradient" }, cell: [0, 2] });
  assert.deepEqual(opening(at({ step: 0 })), { subject: { tensor: "y", of: "value" }, cell: [1, 2] });
  assert.deepEqual(opening(at({ step: 4, predict: true }))?.subject, { tensor: "w", of: "value" });
  assert.deepEqual(opening(at({ step: 6, cell: [1, 0] }))?.cell, [1, 0], "the marked cell comes first");
  assert.deepEqual(opening(at({ step: 6, cell: [9, 9] }))?.cell, [0, 2]);
});

test("what is held is a number that the loss feels, unless one was chosen", () => {
  assert.deepEqual(feltMost(walk, ["x"]), { tensor: "x", index: [0, 2] });
  assert.deepEqual(heldIn(at({ step: 6 })), { tensor: "x", index: [0, 2] });
  assert.deepEqual(heldIn(at({ step: 6, cell: [1, 0] })), { tensor: "x", index: [1, 0] });
  const sent = smallWalk();
  const dead = sent.nodes.find((/** @type {{name: string}} */ { name }) => name === "y");
  dead.gradient = null;
  const cut = new Walk(sent);
  assert.deepEqual(feltMost(cut, ["y", "x"])?.tensor, "x");
  const frame = frameOf(cut, /** @type {any} */ ({ ...calm, step: 0 }), new Predictions());
  assert.notEqual(heldIn(frame)?.tensor, "y", "nothing comes back to it");
});

test("a true zero and a gradient of zeros are not felt", () => {
  const sent = smallWalk();
  for (const { name, gradient } of sent.nodes) {
    if (name === "x") gradient.verdict = { ...gradient.verdict, level: "zero" };
    if (name === "w") gradient.size = { ...gradient.size, largest: 0 };
  }
  assert.equal(feltMost(new Walk(sent), ["x", "w"]), null);
});

test("closing a number in the tug-of-war keeps the row", () => {
  const frame = at({ step: 6, cell: [1, 0], of: "gradient" });
  assert.equal(shut(frame).cell, null);
  assert.deepEqual([shut({ ...frame, tug: true }).cell, shut({ ...frame, tug: true }).of], [[1, 0], null]);
});

test("a block of a tile stands for its first cell, and a cell is found in its block", () => {
  const { bdata } = wire([1, 2, 3, 4, 5, 6], [2, 3]);
  const tile = new Tensor({
    dtype: "f4",
    shape: "2, 2, 12",
    bdata: "",
    pooled: { block: [2, 4], shape: "2, 3", mean: bdata, min: bdata, max: bdata },
  });
  assert.deepEqual(tile.cellAt(1, 2), [1, 0, 8]);
  assert.equal(tile.flatOf([1, 1, 11]), 5);
  assert.equal(tile.at([0, 1, 5]), 2);
  assert.equal(tile.flatOf([0, 5]), -1);
});

test("a term leads to the step that completes its gradient, and the way back is kept", () => {
  const here = at({ step: 6, cell: [1, 2], of: "gradient" });
  const there = followed(here, { through: "y", cell: [1, 2], local: 2, arriving: 1, product: 2 });
  assert.deepEqual([there?.step, there?.cell, there?.of, there?.node], [3, [1, 2], "gradient", null]);
  assert.deepEqual(
    there?.trail?.map((crumb) => crumbText(walk, crumb)),
    ["dx[1, 2]"],
  );
  const next = at({ ...there });
  const loss = followed(next, { through: "loss", cell: [], local: 1, arriving: 1, product: 1 });
  assert.deepEqual([loss?.step, loss?.cell, loss?.trail?.length], [2, [], 2]);
  assert.deepEqual(
    loss?.trail?.map((crumb) => crumbText(walk, crumb)),
    ["dx[1, 2]", "dy[1, 2]"],
  );
  const home = returned(at({ ...loss }).state, 0);
  assert.deepEqual([home?.step, home?.cell, home?.trail], [6, [1, 2], []]);
  assert.equal(returned(here.state, 0), null);
});

test("where every gradient starts there is nothing to follow", () => {
  const start = at({ step: 2, cell: [], of: "gradient" });
  assert.equal(followed(start, { through: "loss", cell: [], local: 1, arriving: 1, product: 1 }), null);
});

test("a value is followed to the line that made it, and to what was given", () => {
  const here = at({ step: 0, cell: [1, 2], of: "value" });
  const given = followed(here, { through: "w", cell: [2], local: 6, arriving: 2, product: 12 });
  assert.deepEqual([given?.node, given?.step, given?.of], ["w", undefined, "value"]);
  const made = followed(at({ step: 1, cell: [], of: "value" }), {
    through: "y",
    cell: [0, 1],
    local: 1,
    arriving: -2,
    product: -2,
  });
  assert.deepEqual([made?.step, made?.node, made?.cell], [0, null, [0, 1]]);
});

test("moving about in one tensor keeps the trail, another one begins anew", () => {
  const trail = [
    { step: 6, node: null, view: null, cell: [1, 2], of: /** @type {const} */ ("gradient"), tensor: null, path: null },
  ];
  const frame = at({ step: 3, cell: [1, 2], of: "gradient", trail });
  assert.deepEqual(picked(frame, { tensor: "y", of: "gradient" }, [1, 1]).trail, trail);
  assert.deepEqual(picked(frame, { tensor: "y", of: "value" }, [1, 1]).trail, []);
});

test("a history without a trail has an empty one", () => {
  assert.deepEqual([trailIn(null), trailIn({ trail: 3 }), trailIn({ trail: [] })], [[], [], []]);
});
