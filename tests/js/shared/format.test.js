import assert from "node:assert/strict";
import { test } from "node:test";
import { readFileSync } from "node:fs";
import {
  cellText,
  decimalText,
  fixedText,
  numberText,
  percentText,
  shapeText,
  steadyText,
  toldApart,
} from "../../../static/js/shared/format.js";
import { cellWords, sideLabels, ticks } from "../../../static/js/shared/axis-labels.js";
import { counted, many } from "../../../static/js/shared/plural.js";
import { firstSentence, runsOf, spoken } from "../../../static/js/shared/prose.js";

test("shapes read as Python prints them", () => {
  assert.deepEqual([[], [64], [1, 64], [32, 3, 10]].map(shapeText), ["()", "(64,)", "(1, 64)", "(32, 3, 10)"]);
});

test("a number of ARIA has all of its digits and no exponent", () => {
  assert.deepEqual([1e-12, 0.03, -2.5, 1e6].map(decimalText), ["0.000000000001", "0.03", "-2.5", "1000000"]);
});

/** Read by the server's own tests, too. */
const cases = JSON.parse(readFileSync(new URL("../../support/number_texts.json", import.meta.url), "utf8"));

test("numbers are written by the rule that the server follows", () => {
  for (const { value, digits, text } of cases.numbers) assert.equal(numberText(Number(value), digits), text);
  for (const { value, places, text } of cases.fixed) assert.equal(fixedText(value, places), text);
});

test("numbers that are compared have as many digits as tell them apart", () => {
  for (const { values, digits, texts } of cases.compared) assert.deepEqual(toldApart(values, digits), texts);
  assert.deepEqual(toldApart([3.33983, 3.3398], 4, steadyText), ["3.33983", "3.33980"]);
});

test("numbers in cells and in a column are as long as each other", () => {
  assert.deepEqual([-0.0312, 100, 0, 1234.5, 0.03125].map(cellText), ["−0.0312", "100", "0", "1235", "0.0313"]);
  const steady = [2.4, -0.0120049, 9999.96, 0].map((value) => steadyText(value));
  assert.deepEqual(steady, ["2.400", "−0.01200", "10000", "0"]);
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

test("no star of a refusal's message is lost, and bold may hold code with stars", () => {
  const messages = readFileSync(new URL("../../../backend/engine/language/messages.md", import.meta.url), "utf8");
  for (const line of messages.split("\n").filter((one) => one.includes("`")))
    assert.equal(spoken(line), line.replaceAll("`", ""));
  assert.deepEqual(
    runsOf("**The slope `2 * x**2`**").map(({ text }) => text),
    ["The slope ", "2 * x**2"],
  );
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
