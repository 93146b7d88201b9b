import assert from "node:assert/strict";
import { test } from "node:test";
import {
  blockText,
  checkOf,
  collapseText,
  factorsText,
  formulaOf,
  lensWords,
  numbersText,
  pathsText,
  placeShort,
  readAnswer,
  readsText,
  restOf,
  sumText,
  termName,
  termPlace,
  termWords,
  titleOf,
} from "../../../static/js/lens/lens.js";
import { highlightsOf, outline, termsIn } from "../../../static/js/lens/highlights.js";
import { stripOf } from "../../../static/js/lens/term-strip.js";
import { hopsText } from "../../../static/js/walk/trail.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";

const walk = new Walk(smallWalk());
const path = {
  through: "y",
  step: 4,
  line: 3,
  code: "dw = (x * dy).sum(0)",
  formula: "",
  count: 2,
  sum: 9,
  over: [{ axis: 0, name: "example", size: 2 }],
  broadcast: true,
};
const answer = readAnswer({
  tensor: "w",
  which: "gradient",
  index: [2],
  formula: "dw[j] = Σ_i x[i,j]·dy[i,j]",
  shown: 9,
  sum: 9,
  adds: true,
  agrees: true,
  count: 2,
  numbers: null,
  terms: [
    { through: "y", cell: [1, 2], local: 6, arriving: 1, product: 6 },
    { through: "y", cell: [0, 2], local: 3, arriving: 1, product: 3 },
  ],
  rest: { count: 0, sum: 0 },
  paths: [path],
});
const pick = { tensor: "w", which: /** @type {const} */ ("gradient"), index: [2] };
const [six, three] = answer.terms;

test("a number has a name, a kind and a place in words", () => {
  assert.deepEqual(titleOf(walk, pick), { name: "dw[2]", kind: "gradient", place: "class c (2)" });
  assert.deepEqual(titleOf(walk, { ...pick, which: "contribution", step: 4 }).kind, "what y brings, path 1 of 2");
  assert.deepEqual(titleOf(walk, { tensor: "loss", which: "value", index: [] }), {
    name: "loss",
    kind: "value",
    place: "",
  });
});

test("a voice hears how far one has come", () => {
  const crumb = {
    step: 4,
    node: null,
    view: null,
    cell: [2],
    of: /** @type {const} */ ("gradient"),
    tensor: null,
    path: null,
  };
  assert.deepEqual(
    [[], [crumb], [crumb, crumb]].map((trail) => hopsText(walk, trail)),
    ["", " One hop from dw[2].", " 2 hops from dw[2]."],
  );
});

test("one of several paths says what the others are, and what they add up to", () => {
  const path = { ...pick, which: /** @type {const} */ ("contribution"), step: 4 };
  assert.equal(pathsText(walk, path, 4), "One more is still to come.");
  assert.equal(pathsText(walk, path, 5), "With the other paths it adds up to 9.");
  assert.equal(pathsText(walk, pick, 5), "", "a whole gradient needs no words");
  assert.equal(
    lensWords(walk, { ...answer, which: "contribution" }, path).split(":")[0],
    "Gradient of w, what y brings, path 1 of 2, class c (2)",
  );
});

test("one cell of a block says so", () => {
  const tile = /** @type {any} */ ({
    block: [7, 7],
    whole: [14, 13],
    grid: { rows: 2, cols: 2 },
    flatOf: () => 3,
    cellAt: (/** @type {number} */ row, /** @type {number} */ col) => [row * 7, col * 7],
  });
  assert.equal(blockText(tile, [7, 7]), "The first cell of a block: the picture shows means of 7 × 6–7 cells.");
  assert.match(blockText(tile, [8, 7]), /^One cell of a block/);
  assert.equal(blockText(walk.tensor(walk.node("x").value), [0, 0]), "");
});

test("a term's place is short beside its name", () => {
  assert.equal(
    placeShort("example ..p → e (13), class e (5), hidden unit 3"),
    "example ..p → e, class e, hidden unit 3",
  );
  assert.equal(factorsText({ ...six, local: 0.5, arriving: -2 }), "0.5 × (−2)");
});

test("the sum is written with its own numbers, as far as it fits", () => {
  assert.equal(sumText(answer, 60), "6·1 + 3·1");
  const many = {
    ...answer,
    count: 32,
    terms: [
      { ...six, local: 0.0412, arriving: -0.0312 },
      { ...six, local: 1, arriving: -0.5 },
      ...Array(30).fill(three),
    ],
  };
  assert.equal(sumText(many, 41), "0.0412·(−0.0312) − 0.5 + … (32 terms)");
  assert.ok(sumText(many, 60).length <= 60);
  const zeros = { ...answer, count: 27, terms: [six, ...Array(26).fill({ ...three, arriving: 0, product: 0 })] };
  assert.equal(sumText(zeros, 60), "6·1 + … (27 terms, 26 of them zero)");
  const none = { ...answer, count: 3, terms: Array(3).fill({ ...three, arriving: 0, product: 0 }) };
  assert.equal(sumText(none, 60), "0 (3 terms, all zero)");
  assert.equal(sumText({ ...answer, count: 1, terms: [{ ...six, local: -1, arriving: -2 }] }, 40), "−(−2)");
  assert.equal(sumText({ ...answer, count: 1, terms: [{ ...six, local: -1, arriving: 2 }] }, 40), "−2");
});

test("a formula is filled with its own numbers", () => {
  const filled = (/** @type {string} */ text, /** @type {number[]} */ ...values) =>
    numbersText({ ...answer, numbers: { count: 1, terms: [{ text, values }] } }, 80);
  assert.equal(filled("⟨0⟩ / ⟨1⟩", -0.03125, 0.0325), "−0.0313 / 0.0325", "a division is one");
  assert.equal(filled("⟨0⟩/⟨1⟩", -0.03125, 4e-5), "−0.0313/(4·10⁻⁵)");
  assert.equal(filled("⟨0⟩ · ⟨1⟩", 0.0412, -0.0312), "0.0412·(−0.0312)");
  assert.equal(filled("(1.0 - ⟨0⟩²) · ⟨1⟩", -0.499, -2), "(1.0 − (−0.499)²)·(−2)");
  assert.equal(filled("-⟨0⟩**-2 · ⟨1⟩", 11.4, -0.355), "−11.4**−2·(−0.355)");
  assert.equal(filled("tanh(⟨0⟩)", -0.86), "tanh(−0.86)");
  assert.equal(filled("(⟨0⟩ + 1e-5)**-0.5", 3.3), "(3.3 + 1e-5)**−0.5");
  const terms = [
    { text: "⟨0⟩ · ⟨1⟩", values: [0.5, -3] },
    { text: "-⟨0⟩", values: [2] },
    { text: "⟨0⟩", values: [1] },
  ];
  assert.equal(numbersText({ ...answer, numbers: { count: 3, terms } }, 80), "0.5·(−3) − 2 + 1");
  assert.equal(numbersText({ ...answer, numbers: { count: 32, terms } }, 80), "0.5·(−3) − 2 + 1 + … (32 terms)");
  assert.equal(numbersText({ ...answer, numbers: { count: 32, terms } }, 24), "0.5·(−3) + … (32 terms)");
  assert.equal(numbersText({ ...answer, numbers: { count: 0, terms: [] } }, 24), "0");
  assert.equal(numbersText({ ...answer, numbers: null }, 60), "6·1 + 3·1", "without a formula, the terms");
});

test("a formula is cut at its equals sign, and says which place its letters name", () => {
  assert.deepEqual(formulaOf(answer), {
    name: "dw[j]",
    sign: "=",
    right: [
      { text: "Σ", low: false },
      { text: "i", low: true },
      { text: " x[i,j]·dy[i,j]", low: false },
    ],
    letters: "j = 2",
  });
  assert.deepEqual(
    formulaOf({ ...answer, formula: "dm[0,j] = Σ_k,l (g[k,l] if X[k] == j else 0)", index: [0, 7] })?.letters,
    "j = 7",
  );
  const plain = formulaOf({
    ...answer,
    formula: "dlogits[i,j] = dnorm_logits[i,j] + (argmax_k(logits[i,k]) == j) · dlogit_maxes[i,0]",
    index: [3, 5],
  });
  assert.deepEqual(
    plain?.right.filter(({ low }) => low),
    [{ text: "k", low: true }],
    "an underscore in a name is no index",
  );
  assert.deepEqual(formulaOf({ ...answer, formula: "dloss = 1", index: [] }), {
    name: "dloss",
    sign: "=",
    right: [{ text: "1", low: false }],
    letters: "",
  });
  const added = formulaOf({ ...answer, formula: "dw[j] += 0.0 · w[j]" });
  assert.deepEqual([added?.name, added?.sign, added?.letters], ["dw[j]", "+=", "j = 2"]);
  assert.equal(formulaOf({ ...answer, formula: "" }), null);
});

test("terms that add up are confirmed, others raise the alarm", () => {
  assert.deepEqual(checkOf(answer), { fits: true, text: "equals the number shown, within rounding" });
  const lost = { ...answer, agrees: false, sum: NaN, terms: [six, { ...three, product: NaN }] };
  assert.deepEqual(checkOf(lost), { fits: true, text: "one of the terms is NaN, so they can’t be added up" });
  assert.match(
    checkOf({ ...answer, shown: 6e-9, sum: 1e-17, cancels: true }).text,
    /^the terms cancel.*6·10⁻⁹, are rounding$/,
  );
  assert.equal(checkOf({ ...answer, shown: NaN, sum: NaN }).text, "NaN, in float64 too");
  const wrong = checkOf({ ...answer, sum: 9, shown: 12, agrees: false });
  assert.equal(wrong.fits, false);
  assert.equal(wrong.text, "The terms add up to 9, but the line gives 12: the rule is wrong by 3.");
  assert.match(checkOf({ ...answer, adds: false }).text, /computed in float64/);
});

test("what is folded is counted and summed", () => {
  assert.deepEqual(restOf(answer, 1), { count: 1, sum: 3 });
  assert.deepEqual(restOf({ ...answer, count: 5000, rest: { count: 4998, sum: 0.5 } }, 2), { count: 4998, sum: 0.5 });
  assert.deepEqual(restOf({ ...answer, terms: [{ ...six, product: null }] }, 0), { count: 2, sum: null });
});

test("the rest of a value that is no sum of its terms has no sum either, listed or not", () => {
  const sent = { count: 5000, adds: false, terms: [], paths: [], numbers: null, rest: { count: 5000, sum: null } };
  const none = /** @type {any} */ ({ ...sent, shown: 1, sum: 1 });
  assert.deepEqual(restOf(readAnswer(none), 0), { count: 5000, sum: null });
});

test("a term says where it goes through, by the axes along which terms differ", () => {
  assert.equal(termPlace(walk, answer, six), "example .ab → c (1)");
  assert.equal(termPlace(walk, { ...answer, paths: [] }, { ...six, cell: [1, 0] }), "example .ab → c (1), class a (0)");
  assert.equal(
    termPlace(walk, { ...answer, tensor: "x", index: [1, 2], paths: [] }, six),
    "",
    "the same place needs no words",
  );
  assert.equal(termName(walk, answer, six), "dy[1, 2]");
  assert.equal(termWords(walk, answer, six), "6: 6 × 1, gradient of y, example .ab → c (1), class c (2)");
  assert.match(
    termWords(walk, { ...answer, which: "value" }, { ...six, product: null }),
    /^local derivative 6 by y, example \.ab → c \(1\)/,
  );
});

test("one sentence tells an opened number to a voice", () => {
  assert.equal(
    lensWords(walk, answer, pick),
    "Gradient of w, class c (2): 9, the sum of 2 terms, the largest 6 through y, example .ab → c (1).",
  );
  assert.match(lensWords(walk, { ...answer, agrees: false, shown: 12 }, pick), /wrong by 3/);
  const given = { ...answer, tensor: "x", which: /** @type {const} */ ("value"), terms: [], count: 0, paths: [] };
  assert.match(lensWords(walk, given, { ...pick, which: "value" }), /: −?\d+\. x is given before the walk begins\.$/);
  assert.match(lensWords(walk, { ...given, which: "gradient" }, pick), /No gradient reaches this cell/);
  assert.match(
    lensWords(walk, { ...given, tensor: "y" }, { tensor: "y", which: "value", index: [0, 0] }),
    /Made without reading any cell\.$/,
    "a constant of the program is not given before it",
  );
  const flat = { ...given, tensor: "y", paths: [{ ...path, through: "x", count: 0 }] };
  assert.match(
    lensWords(walk, flat, { tensor: "y", which: "value", index: [0, 0] }),
    /The local derivative in every cell it reads is zero\.$/,
    "a clamped cell was read, although nothing moves with it",
  );
});

test("a number that is no sum of products says what it reads", () => {
  const value = {
    ...answer,
    tensor: "y",
    which: /** @type {const} */ ("value"),
    adds: false,
    count: 1,
    terms: [{ ...six, through: "x", product: null }],
    paths: [{ ...path, through: "x" }],
  };
  assert.equal(readsText(walk, value), "moves with one cell of x");
  const both = { ...value, count: 3, paths: ["x", "w"].map((through) => ({ ...path, through })) };
  assert.equal(readsText(walk, both), "moves with 3 cells of x and w");
  assert.match(
    lensWords(walk, value, { tensor: "y", which: "value", index: [1, 2] }),
    /\. It moves with one cell of x\.$/,
  );
  assert.equal(readsText(walk, { ...value, tensor: "x", count: 0, paths: [] }), "x is given before the walk begins.");
  assert.match(readsText(walk, { ...value, which: "gradient", count: 0, paths: [] }), /No gradient reaches this cell/);
  assert.equal(readsText(walk, answer), "");
});

test("what runs together is counted in the words of its axes", () => {
  assert.deepEqual(collapseText(walk, answer), ["2 examples → 1", "w was copied to every example"]);
  const copied = (/** @type {any[]} */ over) => collapseText(walk, { ...answer, paths: [{ ...path, over }] })[1];
  assert.equal(copied([{ axis: 1, name: "axis 1", size: 2 }]), "w was copied along axis 1");
  const two = ["example", "unit"].map((name, axis) => ({ axis, name, size: 2 }));
  assert.equal(copied(two), "w was copied to every example and every unit");
  const plain = { ...path, broadcast: false };
  assert.equal(
    collapseText(walk, { ...answer, paths: [{ ...plain, over: [{ axis: 0, name: "axis 0", size: 2 }] }] })[0],
    "2 cells along axis 0 → 1",
  );
  assert.equal(
    collapseText(walk, { ...answer, paths: [{ ...plain, over: [{ axis: 1, name: "class", size: 2 }] }] })[0],
    "2 classes → 1",
  );
  assert.equal(
    collapseText(walk, {
      ...answer,
      count: 3,
      paths: [
        {
          ...plain,
          over: [
            { axis: 0, name: "example", size: 2 },
            { axis: 1, name: "class", size: 3 },
          ],
        },
      ],
    })[0],
    "3 places in y → 1",
  );
  assert.equal(
    collapseText(walk, { ...answer, paths: [plain, { ...plain, through: "loss" }] })[0],
    "two paths: through y and through loss",
  );
  assert.equal(
    collapseText(walk, { ...answer, which: "value", paths: [plain, { ...plain, through: "loss" }] })[0],
    "terms with y and with loss",
  );
  assert.equal(
    collapseText(walk, { ...answer, paths: ["x", "w", "y", "loss"].map((through) => ({ ...plain, through })) })[0],
    "4 paths",
  );
  assert.equal(
    collapseText(walk, { ...answer, paths: [{ ...plain, over: [{ axis: 1, name: "key", size: 2 }] }] })[0],
    "2 keys → 1",
  );
  assert.equal(collapseText(walk, { ...answer, count: 1 })[0], "");
});

test("a strip holds the terms in the order of their cells, on one scale with the sum", () => {
  const strip = stripOf(walk, answer);
  assert.deepEqual(
    strip?.groups.map((group) => group.map((term) => term.product)),
    [[3, 6]],
  );
  assert.equal(strip?.peak, 9);
  assert.equal(stripOf(walk, { ...answer, adds: false }), null);
});

test("a number lights the cells, nodes and steps it comes through", () => {
  const lights = highlightsOf(answer);
  assert.deepEqual([[...lights.nodes], [...lights.steps]], [["y"], [4]]);
  assert.deepEqual(
    termsIn(lights, { tensor: "y", of: "gradient" }).map((term) => term.cell),
    [
      [1, 2],
      [0, 2],
    ],
  );
  assert.deepEqual(termsIn(lights, { tensor: "y", of: "value" }), []);
  assert.deepEqual(termsIn(lights, { tensor: "x", of: "gradient" }), []);
});

test("lit cells are outlined together", () => {
  assert.equal(outline(new Set([4]), 3, 3).length, 4);
  assert.equal(outline(new Set([3, 4, 5]), 3, 3).length, 8);
  assert.equal(
    outline(new Set([2, 3]), 2, 3).length,
    8,
    "the end of a row and the start of the next are no neighbours",
  );
});

test("words for what JSON cannot hold are numbers again", () => {
  const broken = readAnswer({
    ...answer,
    shown: "NaN",
    sum: "-Infinity",
    terms: [{ ...six, arriving: "Infinity", product: null }],
  });
  assert.deepEqual(
    [broken.shown, broken.sum, broken.terms[0].arriving, broken.terms[0].product],
    [NaN, -Infinity, Infinity, null],
  );
});
