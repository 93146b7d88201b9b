import assert from "node:assert/strict";
import { test } from "node:test";
import { cellText, numberText, percentText, shapeText } from "../../../static/js/shared/format.js";
import { cellWords, sideLabels, ticks } from "../../../static/js/shared/axis-labels.js";
import { counted, many } from "../../../static/js/shared/plural.js";
import { firstSentence, runsOf, spoken } from "../../../static/js/shared/prose.js";

test("shapes read as Python prints them", () => {
  assert.deepEqual([[], [64], [1, 64], [32, 3, 10]].map(shapeText), ["()", "(64,)", "(1, 64)", "(32, 3, 10)"]);
});

test("numbers are short, with a true minus and powers of ten", () => {
  const texts = [0, -0.35131, 12, 1e-9, -6.25e-9, NaN, -Infinity, 123456].map((value) => numberText(value));
  assert.deepEqual(texts, ["0", "−0.3513", "12", "1·10⁻⁹", "−6.25·10⁻⁹", "NaN", "−∞", "1.23·10⁵"]);
  assert.deepEqual([cellText(-0.0312), cellText(100), cellText(0)], ["−0.0312", "100", "0"]);
  assert.deepEqual([percentText(0.0204), percentText(0.5), percentText(0)], ["2.0 %", "50 %", "under 0.1 %"]);
});

test("the two marks become runs, and nothing else does", () => {
  assert.deepEqual(runsOf("`a` and **b `c`** <i>"), [
    { mark: "code", text: "a" },
    { mark: "plain", text: " and " },
    { mark: "strong", text: "b " },
    { mark: "code", text: "c" },
    { mark: "plain", text: " <i>" },
  ]);
  assert.equal(spoken("**sum** over `x`"), "sum over x");
});

test("the reference's address becomes a link, and no other address does", () => {
  assert.deepEqual(runsOf("See /reference#mul, `/reference`."), [
    { mark: "plain", text: "See " },
    { mark: "page", text: "/reference#mul" },
    { mark: "plain", text: ", " },
    { mark: "code", text: "/reference" },
    { mark: "plain", text: "." },
  ]);
  assert.deepEqual(runsOf("http://x.example/api"), [{ mark: "plain", text: "http://x.example/api" }]);
});

test("a sentence ends at its full stop, not inside code or a number", () => {
  assert.equal(firstSentence("Divide by `x.sum(0)` and 1.5. Then stop."), "Divide by `x.sum(0)` and 1.5.");
  assert.equal(firstSentence("**Two paths.** They add."), "**Two paths.**");
  assert.equal(firstSentence("no stop"), "no stop");
});

const labels = { class: [".", "a"], example: ["..a → b", ".ab → c"] };

test("a cell is said in words, axes with one cell left out", () => {
  assert.equal(cellWords(labels, ["example", "class"], [2, 2], [1, 1]), "example .ab → c (1), class a (1)");
  assert.equal(cellWords(labels, ["example", "class"], [2, 1], [1, 0]), "example .ab → c (1)");
  assert.equal(cellWords({}, ["axis 0"], [3], [2]), "axis 0 2");
  assert.equal(cellWords({ digit: ["0", "1"] }, ["digit"], [2], [1]), "digit 1", "no label that says the same again");
});

test("the sides of a sheet are named by their axes", () => {
  assert.deepEqual(sideLabels(labels, ["example", "class"], [2, 2], "rows"), {
    title: "example",
    names: ["..a → b", ".ab → c"],
  });
  const deep = sideLabels(labels, ["example", "place", "class"], [2, 2, 2], "cols");
  assert.deepEqual(deep, { title: "place · class", names: ["0 · .", "0 · a", "1 · .", "1 · a"] });
  assert.deepEqual(sideLabels(labels, [], [], "cols"), { title: "", names: [""] });
});

test("nouns have their plurals, and a number its noun", () => {
  const nouns = ["key", "batch", "box", "day", "class", "bus", "axis 0", "query", "hidden unit", "axis", "batch index"];
  const plurals = [
    "keys",
    "batches",
    "boxes",
    "days",
    "classes",
    "buses",
    "cells along axis 0",
    "queries",
    "hidden units",
    "axes",
    "batch indices",
  ];
  assert.deepEqual(nouns.map(many), plurals);
  assert.deepEqual(
    [0, 1, 2, 2048].map((count) => counted(count, "place")),
    ["0 places", "1 place", "2 places", "2,048 places"],
  );
  assert.equal(counted(1, "axis 1"), "1 cell along axis 1");
});

test("as many ticks as fit", () => {
  assert.deepEqual(ticks(4, 100, 10), [0, 1, 2, 3]);
  assert.deepEqual(ticks(27, 100, 10), [0, 3, 6, 9, 12, 15, 18, 21, 24]);
});
