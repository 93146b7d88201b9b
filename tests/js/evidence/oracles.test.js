import assert from "node:assert/strict";
import { test } from "node:test";
import { Differences, mayAskAgain } from "../../../static/js/differences/differences.js";
import { digitsText, splitAgreeing } from "../../../static/js/differences/digits.js";
import {
  apartText,
  autogradSays,
  badgeExtra,
  differencesSay,
  notYet,
  originText,
  ownSays,
  stepText,
} from "../../../static/js/evidence/oracles.js";
import { doneWords } from "../../../static/js/differences/nudge-words.js";
import { curveOf, curveWords, rowsOf } from "../../../static/js/differences/error-curve.js";

/** @param {object} over @returns {any} */
function verdict(over) {
  return {
    shape: true,
    exact: false,
    approximate: true,
    maxdiff: 5e-10,
    max_ulp: 2,
    relative_error: 9e-17,
    share: 6e-8,
    share64: 9e-17,
    residue: null,
    residue64: null,
    kind: null,
    worst: [0],
    level: "approximate",
    because: "",
    ...over,
  };
}

/** @param {object} [over] @returns {any} */
function finding(over = {}) {
  return {
    node: "w",
    mode: "direction",
    step: 1e-3,
    stencil: 4,
    analytic: 0.5,
    autograd: 0.5,
    numeric: 0.5,
    relative_error: 3e-11,
    relative: 6e-11,
    agrees: true,
    kink: null,
    ...over,
  };
}

test("a model's own backward agrees, differs, or gives the same", () => {
  assert.deepEqual(ownSays({ right: true, maxdiff: 0, share: 0 }).says, "its backward gives the same");
  const close = ownSays({ right: true, maxdiff: 6e-9, share: 9e-8 });
  assert.deepEqual([close.level, close.says], ["approximate", "its backward agrees"]);
  assert.equal(close.detail, "to 9·10⁻⁸ of the largest, 6·10⁻⁹ at most");
  const wrong = ownSays({ right: false, maxdiff: 1.3, share: 1.4 });
  assert.deepEqual([wrong.level, wrong.glyph, wrong.says], ["wrong", "✕", "its backward differs"]);
  assert.equal(wrong.detail, "by 1.4 times the largest, 1.3 at most");
  assert.equal(ownSays({ right: false, maxdiff: "Infinity", share: "Infinity" }).level, "wrong");
});

test("autograd agrees bit for bit, up to a share of the largest gradient, or not: one unit for both precisions", () => {
  assert.equal(autogradSays(verdict({ level: "exact", max_ulp: 0 })).says, "the same, bit for bit");
  assert.equal(autogradSays(verdict({ level: "exact", kind: "rule" })).detail, "zero in every cell");
  assert.deepEqual(autogradSays(verdict({})), {
    level: "approximate",
    glyph: "≈",
    says: "6·10⁻⁸ of the largest gradient apart",
    detail: "in float64 9·10⁻¹⁷ of it",
  });
  assert.equal(autogradSays(verdict({ share64: 0 })).detail, "in float64 no difference");
  const zero = autogradSays(
    verdict({ level: "zero", kind: "residue", max_ulp: null, residue: 6e-9, residue64: 1e-17 }),
  );
  assert.deepEqual([zero.says, zero.detail], ["zero, too: rounding of at most 6·10⁻⁹", ""]);
  assert.equal(
    autogradSays(verdict({ level: "wrong", share: "Infinity", share64: 0.25 })).says,
    "differs by ∞ times the largest gradient",
  );
  assert.equal(
    autogradSays(verdict({ level: "wrong", share: 0.25, share64: 0.25 })).detail,
    "in float64 by 0.25 of the largest",
  );
  assert.equal(autogradSays(verdict({ level: "shape", max_ulp: null })).says, "of another shape");
  assert.deepEqual(
    [autogradSays(verdict({ level: "not-finite" })).glyph, autogradSays(verdict({ level: "not-finite" })).says],
    ["∞", "not finite either"],
  );
});

test("a badge says the share, the details the difference with its units", () => {
  assert.equal(badgeExtra(verdict({})), "6·10⁻⁸ of the largest");
  assert.equal(badgeExtra(verdict({ level: "wrong", share: 2.5 })), "2.5 times the largest");
  assert.equal(badgeExtra(verdict({ level: "exact", kind: "rule" })), "zero in every cell");
  assert.deepEqual(
    ["exact", "zero", "shape", "not-finite"].map((level) => badgeExtra(verdict({ level }))),
    ["", "", "", ""],
  );
  assert.equal(apartText(verdict({ max_ulp: 4096 })), "At most 5·10⁻¹⁰ apart, or 4096 ulp.");
  assert.equal(apartText(verdict({ max_ulp: null })), "At most 5·10⁻¹⁰ apart.");
  assert.equal(apartText(verdict({ maxdiff: 0, max_ulp: 0 })), "");
});

test("a number that is none has a place where the first one arose", () => {
  const origin = {
    tensor: "p",
    name: "p",
    which: /** @type {const} */ ("value"),
    number: "NaN",
    cell: [0, 1],
    line: 1,
    step: 0,
    code: "p = x.log()",
  };
  assert.equal(originText(origin), "the first NaN is in `p[0, 1]`, line 1");
  assert.equal(
    originText({ ...origin, name: "dx", which: "gradient", number: "-Infinity", cell: [], line: 3 }),
    "the first −infinity is in `dx`, backward line 3",
  );
});

test("central differences agree to some digits, find zero, meet a kink, or differ", () => {
  assert.deepEqual(differencesSay(finding(), "exact"), {
    level: "exact",
    glyph: "✓",
    says: "agree to 3·10⁻¹¹",
    detail: "h = 10⁻³",
  });
  assert.equal(differencesSay(finding({ relative_error: 0 }), "exact").says, "agree in every digit");
  assert.deepEqual(differencesSay(finding({ numeric: 2e-13 }), "zero"), {
    level: "zero",
    glyph: "0",
    says: "zero, too",
    detail: "they find 2·10⁻¹³",
  });
  const kink = { left: -2, right: 0.25 };
  assert.deepEqual(differencesSay(finding({ kink }), "exact"), {
    level: "kink",
    glyph: "∧",
    says: "at a kink: two slopes",
    detail: "−2 on the left, 0.25 on the right",
  });
  assert.equal(differencesSay(finding({ kink, agrees: false }), "exact").level, "wrong");
  assert.deepEqual(differencesSay(finding({ agrees: false, numeric: "NaN", relative_error: "NaN" }), "wrong"), {
    level: "wrong",
    glyph: "✕",
    says: "find NaN, not 0.5",
    detail: "rel. error NaN",
  });
});

test("until they have been asked it is said that they have not", () => {
  const differences = new Differences();
  assert.equal(notYet(differences, "w").says, "not yet nudged");
  differences.fail({ code: "busy", message: "All workers are busy." });
  assert.deepEqual(
    [notYet(differences, "w").says, notYet(differences, "w").detail],
    ["did not answer", "All workers are busy."],
  );
  differences.fill([finding()]);
  assert.equal(differences.findings.get("w")?.relative_error, 3e-11);
  assert.equal(notYet(differences, "x").says, "no time was left");
});

test("a loss that is not finite is told without marks, and nobody is sent to ask again", () => {
  const differences = new Differences();
  differences.fail({ code: "loss-not-finite", message: "`loss` is not a finite number." });
  assert.equal(notYet(differences, "w").detail, "loss is not a finite number.");
  assert.equal(mayAskAgain(differences.problem), false);
  assert.equal(mayAskAgain({ code: "busy", message: "" }), true);
  assert.equal(mayAskAgain(null), false);
});

test("what was done is told by the formula that was used", () => {
  const frame = /** @type {any} */ ({
    node: { variable: "w", shape: [3] },
    walk: { document: { loss: { name: "loss" } } },
  });
  const scalar = { ...frame, node: { variable: "w", shape: [] } };
  assert.equal(
    doneWords(scalar, finding({ stencil: 2 })),
    "`w` was nudged by ±h. What depends on it ran again in float64. " +
      "The change of `loss` divided by 2h must equal the gradient.",
  );
  const four = doneWords(frame, finding({ evaluations: 44 }));
  assert.match(four, /by ±h and ±2h along one random direction\. .*44 times in all\. The slope of `loss` through /);
  assert.match(
    four,
    /44 times in all\. The slope of `loss` through these four points must equal the gradient along that direction\.$/,
  );
  assert.doesNotMatch(four, /2h must|divided/);
  assert.match(doneWords(frame, finding({ mode: "cells", cells: [1, 2, 3] })), /^3 cells of `w` were nudged/);
});

test("the least error in the table is the least there is, or that of two points", () => {
  const curve = curveOf(sweep((h) => 0.3 * h * h + 3e-17 / h));
  const least = Math.min(...curve.points.map(({ error }) => error));
  const kinds = (/** @type {object} */ over) =>
    rowsOf(curve, finding(over))
      .filter(({ kind }) => kind.includes("least"))
      .map(({ error, kind }) => [error, kind]);
  assert.deepEqual(kinds({ stencil: 4, step: 1e-3, relative_error: least / 2 }), [
    [least, "least error of two points"],
    [least / 2, "least error, used, 4 points"],
  ]);
  assert.deepEqual(kinds({ stencil: 4, step: 1e-3, relative_error: least * 2 }), [[least, "least error"]]);
  assert.deepEqual(
    rowsOf(curve, finding({ kink: {} }))
      .map(({ kind }) => kind)
      .join(""),
    "",
  );
});

test("steps are powers of ten", () => {
  assert.deepEqual([0.1, 1e-3, 3.1622776601683795e-5, 1e-11].map(stepText), ["10⁻¹", "10⁻³", "3.2·10⁻⁵", "10⁻¹¹"]);
});

test("the digits that two numbers share are told from the rest", () => {
  assert.deepEqual(splitAgreeing(digitsText(0.018871357110428), digitsText(0.018871357110515)), [
    "0.018871357110",
    "428",
  ]);
  assert.deepEqual(splitAgreeing(digitsText(-1.5e-17), digitsText(0)), ["", "−1.5·10⁻¹⁷"]);
  assert.deepEqual(splitAgreeing("1.25·10⁻⁵", "1.25·10⁻⁶"), ["", "1.25·10⁻⁵"]);
});

/** @param {(h: number) => number} error @returns {[number, number][]} */
function sweep(error) {
  return Array.from({ length: 21 }, (_, i) => [10 ** (-(i + 2) / 2), error(10 ** (-(i + 2) / 2))]);
}

test("the error falls with the step until rounding takes over", () => {
  const curve = curveOf(sweep((h) => 0.3 * h * h + 3e-17 / h));
  assert.ok(Math.abs((curve.truncation ?? 0) - 2) < 0.1 && Math.abs((curve.rounding ?? 0) + 1) < 0.1);
  assert.deepEqual([curve.points[0].regime, curve.points.at(-1)?.regime], ["rounding", "truncation"]);
  assert.equal(curve.points.filter(({ regime }) => regime === "best").length, 1);
  assert.match(curveWords(curve), /like h²\. On the left it is too small: rounding, divided by h/);
  assert.match(curveWords(curve, { stencil: 4 }), /four points instead of two/);
});

test("a straight loss has no truncation, and zero errors no regimes at all", () => {
  const straight = curveOf(sweep((h) => 3e-17 / h));
  assert.deepEqual([straight.truncation, straight.points.at(-1)?.regime], [null, "best"]);
  assert.match(curveWords(straight), /straight/);
  assert.match(curveWords(curveOf(sweep(() => 0))), /No step makes a noticeable error/);
  assert.match(curveWords(curveOf(sweep(() => 0.5))), /the error stays/);
  assert.match(curveWords(curveOf(sweep(() => 0.5)), { kink: true }), /kink/);
  assert.deepEqual(
    curveOf([
      [0.1, "NaN"],
      [0.01, 1e-5],
    ]).points.map(({ step }) => step),
    [0.01],
  );
});
