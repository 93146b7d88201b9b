import assert from "node:assert/strict";
import { test } from "node:test";
import { brokenRows, elided, fitsBeside, nameHalves } from "../../../static/js/equation/equation-layout.js";
import { motionOf } from "../../../static/js/equation/flights.js";
import { forwardScene } from "../../../static/js/equation/forward.js";
import { stretched } from "../../../static/js/equation/items.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk, stage, wire } from "../document.js";
import { textsOf } from "./texts.js";

/**
 * @param {number} index @param {(picture: any) => void} [change]
 * @returns {import("../../../static/js/equation/items.js").Scene}
 */
function sceneOf(index, change = () => undefined) {
  const document = smallWalk();
  change(document.steps[index].picture);
  const walk = new Walk(document);
  return forwardScene(walk, /** @type {any} */ (walk.steps[index]));
}

/** @param {import("../../../static/js/equation/items.js").Item[]} row */
function texts(row) {
  return textsOf(row, (sum) => `${sum.from.label} ${sum.mark} ${sum.words} ${sum.result.label}`);
}

/**
 * @param {import("../../../static/js/equation/items.js").Scene} scene
 * @returns {string[]|undefined} what moves in it
 */
function kindsOf(scene) {
  return motionOf(/** @type {any} */ ({ step: { direction: "forward" } }), scene)?.kinds;
}

/** @param {import("../../../static/js/equation/items.js").Item|undefined} item */
function piece(item) {
  assert.ok(item?.type === "tensor");
  return item;
}

/** @param {string} code @param {number[]} values @param {number[]} shape */
function made(code, values, shape) {
  return { role: "", code, node: null, which: null, shape, dims: shape.map(String), tensor: wire(values, shape) };
}

test("operands stand with their signs, those that are copied with their copies", () => {
  const scene = sceneOf(0);
  assert.deepEqual(texts(scene.rows[0]), ["x", "⊙", "w", "=", "y"]);
  assert.deepEqual(piece(scene.rows[0][2]).stretch, [2, 3]);
  assert.deepEqual(kindsOf(scene), ["copy"]);
});

test("a factor of a matrix product is not stretched, what is added to it is", () => {
  const scene = sceneOf(0, (picture) => {
    picture.operands = [made("a", [1, 2], [2, 1]), made("b", [1, 2, 3], [1, 3]), made("c", [1, 2, 3], [3])];
    picture.signs = ["", "@", "+"];
  });
  assert.deepEqual(texts(scene.rows[0]), ["a", "@", "b", "+", "c", "=", "y"]);
  assert.deepEqual(
    scene.rows[0].flatMap((item) => (item.type === "tensor" ? [item.stretch] : [])),
    [null, null, [2, 3], null],
  );
});

test("copies are drawn only where they lie on the sheet as the copies do", () => {
  const one = piece(sceneOf(0).rows[0][2]);
  const with_ = (/** @type {number[]} */ shape) => ({ ...one, shape, stretch: null });
  assert.deepEqual(stretched(with_([3]), [2, 4, 3]).stretch, [2, 4, 3]);
  assert.deepEqual(stretched(with_([1, 4, 3]), [2, 4, 3]).stretch, [2, 4, 3]);
  assert.equal(stretched(with_([4, 3]), [2, 4, 3]).stretch, null);
  assert.equal(stretched(with_([2, 4, 1]), [2, 4, 3]).stretch, null);
});

test("a fold is drawn as the collapse it is, with the number before it", () => {
  const sum = sceneOf(1);
  assert.deepEqual(texts(sum.rows[0]), ["y Σ axes 0, 1 loss"]);
  assert.deepEqual(kindsOf(sum), ["collapse"]);
  const scene = sceneOf(1, (picture) => {
    picture.stages = [stage({ how: "fold", words: "mean", factor: "-1/n", axes: [{ axis: 0 }] })];
  });
  assert.deepEqual(texts(scene.rows[0]), ["y mean axis 0 · × −1/n loss"]);
  assert.equal(scene.spoken, "y (2, 3) mean over axis 0 · × −1/n gives loss ()");
});

test("what runs over axes and folds nothing says which they are", () => {
  const over = (/** @type {number[]} */ ...axes) =>
    sceneOf(0, (picture) => {
      picture.stages = [stage({ how: "scan", words: "normalised", axes: axes.map((axis) => ({ axis })) })];
    }).spoken;
  assert.match(over(1), /axis 1\b/);
  assert.match(over(0, 2), /axes 0, 2\b/);
});

test("what several operands make is shown before it is folded", () => {
  const scene = sceneOf(1, (picture) => {
    picture.operands.push(made("g", [1, 1, 1, 1, 1, 1], [2, 3]));
    picture.signs = ["", "⊙"];
    picture.met = made("y * g", [1, -2, 6, 4, -5, 12], [2, 3]);
  });
  assert.deepEqual(texts(scene.rows[0]), ["y", "⊙", "g", "=", "y * g Σ axes 0, 1 loss"]);
});

test("a function of one cell has its curve, one of several tensors has none", () => {
  const apply = stage({ words: "tanh", cellwise: true });
  const [, sign] = sceneOf(0, (picture) => {
    Object.assign(picture, { operands: picture.operands.slice(0, 1), signs: [""], stages: [apply] });
  }).rows[0];
  assert.ok(sign.type === "sign" && sign.curve);
  assert.deepEqual([sign.curve[0].label, sign.curve[1].label, sign.words], ["x", "y", "tanh"]);
  const both = sceneOf(0, (picture) => Object.assign(picture, { stages: [apply] })).rows[0];
  assert.deepEqual(texts(both), ["x", "⊙", "w", "→ tanh", "y"]);
  assert.ok(both[3].type === "sign" && !both[3].curve);
});

test("a new shape shows its joints: gaps where blocks lay apart, seams where they touch", () => {
  const [from, , to] = sceneOf(0, (picture) => {
    picture.operands = [made("e", [1, 2, 3, 4, 5, 6, 7, 8], [1, 4, 2])];
    picture.signs = [""];
    const runs = [0, 2, 4].map((at) => [at, at, 2]);
    picture.stages = [
      stage({ how: "move", words: "view", runs, result: made("e.view(1, 8)", [1, 2, 3, 4, 5, 6, 7, 8], [1, 8]) }),
      stage({ how: "apply", words: "f" }),
    ];
  }).rows[0];
  assert.deepEqual(piece(from).joints, { every: 2, gap: true });
  assert.deepEqual(piece(to).joints, { every: 2, gap: false });
});

test("rows that an index fetches are outlined where they were and where they went", () => {
  const scene = sceneOf(0, (picture) => {
    picture.operands = [made("C", [1, 2, 3, 4, 5, 6], [2, 3]), made("i", [1, 0], [2])];
    picture.signs = ["", ","];
    picture.stages = [
      stage({
        how: "move",
        runs: [
          [3, 0, 3],
          [0, 3, 3],
        ],
        result: made("C[i]", [4, 5, 6, 1, 2, 3], [2, 3]),
      }),
      stage({ how: "apply", words: "f" }),
    ];
  });
  const [index, , source, , there] = scene.rows[0].map((item) => (item.type === "tensor" ? item : null));
  assert.deepEqual(texts(scene.rows[0]), ["i", "→ picks from", "C", "→ picked", "C[i]", "→ f", "y"]);
  assert.deepEqual(source?.marks, [{ at: 3, cells: 3, to: 0, text: "" }]);
  assert.deepEqual(there?.marks, [{ at: 0, cells: 3, text: "" }]);
  assert.deepEqual(index?.marks, [{ at: 0, cells: 1, text: "" }]);
  assert.deepEqual(scene.links, [source, there]);
});

test("a product that is moved is no pick: its factors stand with their sign, then what they make", () => {
  const scene = sceneOf(0, (picture) => {
    picture.operands = [made("p", [1, 2], [1, 2]), made("i", [3, 4], [1, 2])];
    picture.signs = ["", "⊙"];
    picture.met = made("p * i", [3, 8], [1, 2]);
    picture.stages = [stage({ how: "move", words: "T", runs: [[0, 0, 2]] })];
  });
  assert.deepEqual(texts(scene.rows[0]), ["p", "⊙", "i", "=", "p * i", "→ T", "y"]);
});

test("single cells that are picked from every row stand beside the rows they come from", () => {
  const scene = sceneOf(1, (picture) => {
    picture.operands = [made("p", [1, 2, 3, 4, 5, 6], [2, 3]), made("t", [2, 0], [2])];
    picture.signs = ["", ","];
    picture.stages = [
      stage({
        how: "move",
        runs: [
          [2, 0, 1],
          [3, 1, 1],
        ],
        result: made("p[range(2), t]", [3, 4], [2]),
      }),
      stage({ how: "fold", words: "mean", axes: [{ axis: 0 }] }),
    ];
  });
  const [target, , source, , mean] = scene.rows[0];
  assert.ok(mean.type === "sum" && mean.down && mean.from.turned);
  assert.ok(piece(target).turned && !piece(source).turned);
  assert.deepEqual(mean.from.tensor.grid, { rows: 2, cols: 1, block: 0 });
  assert.deepEqual(mean.from.tensor.cellAt(1, 0), [1]);
  assert.deepEqual(
    piece(source).marks.map(({ at }) => at),
    [2, 3],
  );
  assert.equal(scene.links, null);
});

test("a crowded equation goes on in a second row, before its sign", () => {
  const [row] = sceneOf(0).rows;
  const room = {
    width: 600,
    most: 600,
    height: 200,
    sign: 42,
    slot: 78,
    thin: 12,
    cell: [72, 44],
    wraps: false,
    names: 0,
  };
  const rows = (/** @type {number} */ width) => brokenRows([row], /** @type {any} */ ({ ...room, width })).map(texts);
  assert.deepEqual(rows(600), [["x", "⊙", "w", "=", "y"]]);
  assert.deepEqual(rows(200), [
    ["x", "⊙", "w"],
    ["=", "y"],
  ]);
});

test("a label is shortened to what has room, a role left out where it has none", () => {
  assert.equal(elided("bnraw", 60, 1), "bnraw");
  assert.equal(elided("bnraw * dhpreact", 60, 1), "bnraw *…");
  assert.ok(elided("(p / (1.0 + col**2) * dp).sum(1)", 60, 2).length <= 16);
  assert.deepEqual(nameHalves("dcounts_sum_inv", 104), ["dcounts_sum_", "inv"]);
  assert.deepEqual(nameHalves("dcounts_sum_inv", 120), ["dcounts_sum_inv"]);
  assert.deepEqual(nameHalves("activations", 60), ["activations"]);
  assert.deepEqual(nameHalves("x * dcounts_sum_inv", 60), ["x * dcounts_sum_inv"], "spaces have the first say");
  assert.ok(fitsBeside("h", "result", 80) && !fitsBeside("hpreact", "local derivative", 80));
});
