import assert from "node:assert/strict";
import { test } from "node:test";
import { isProse, literalsIn, texts, textsIn } from "../texts.js";

/**
 * A rule of the language, what breaks it, and a sentence in which it must find that.
 * @typedef {{rule: string, wrong: (text: string, context: string) => boolean, bad: string, context?: string}} Rule
 */

const LONGEST = 22;
const PHRASES = [
  "have their say",
  "have no say",
  "of no account",
  "stands behind",
  "went astray",
  "chunk",
  "turned round",
  "one step on",
  "worth the name",
  "drown in",
  "moved a little",
  "just what the line gives",
  "perhaps a letter",
];
const NOUNS =
  "cells|terms|places|examples|numbers|rows|columns|steps|times|paths|hops|axes|gradients|inputs|points|tensors|" +
  "classes|lines|ways";
/** Counts that are more than one wherever these are said. */
const SEVERAL = [
  "□ times as long",
  "□ times as large",
  ": □ times as □",
  "□ cells of □ were nudged, one after another. □",
  "blocks of □ × □ cells",
  "blocks of □ cells",
  "□ rows and □ columns",
  "At most □ axes.",
  "□a tensor has at most □ axes.",
  "Come closer to read the numbers: they stand here once no more than □ cells are in view.",
  "□ cell of a block: the picture shows means of □ cells.",
  "The □ paths so far add up to□; □",
];

/** @type {Rule[]} */
const RULES = [
  {
    rule: `a sentence has at most ${LONGEST} words`,
    bad: `${"word ".repeat(LONGEST)}more. Short.`,
    wrong: (text) =>
      text
        .split(/[.?!…](?=\s|$)/)
        .some((sentence) => sentence.split(/\s+/).filter((word) => /[\w□ε]/.test(word)).length > LONGEST),
  },
  {
    rule: "a minus sign is a minus sign",
    bad: "the slope is 1 - h² here",
    wrong: (text) => /(^|[\s(])-(?=[\d□])|[\w□)²] - [\w□(]/.test(text),
  },
  {
    rule: "no phrase that nobody would say",
    bad: "Both factors have their say.",
    wrong: (text) => PHRASES.some((phrase) => new RegExp(`\\b${phrase}(?!\\w)`, "i").test(text)),
  },
  {
    rule: "one verb for derivatives: nudge",
    bad: "It moves y twice as far as x does.",
    wrong: (text) => /\bmoves?\b.* as far as\b/.test(text),
  },
  {
    rule: "one of them is not several",
    bad: "It has 1 places.",
    wrong: (text) => new RegExp(`\\b(1|one) (${NOUNS})\\b`).test(text),
  },
  {
    rule: "a noun is counted by counted()",
    bad: "the sum of □ terms",
    wrong: (text) => new RegExp(`□ (${NOUNS})\\b`).test(text) && !SEVERAL.includes(text),
  },
  { rule: "plurals are words", bad: "two keies", wrong: (text) => /[aeiou]ies\b(?<!series)|\(s\)/.test(text) },
  {
    rule: "marks are read by prose()",
    bad: "`loss` is not finite",
    context: 'el("p", {}, ',
    wrong: (text, context) =>
      text.includes("`") &&
      /\bel\(|textContent\s*=|"aria-label"|title[:=]/.test(context) &&
      !/prose\(|spoken\(/.test(context),
  },
  {
    rule: "nothing hangs in the air",
    bad: "so it is .",
    wrong: (text) => /\w [.,;:](\s|$)|\.\.\.(?!`)|[a-z]  [a-z]/.test(text),
  },
];

for (const { rule, wrong, bad, context = "" } of RULES) {
  test(`what a person reads: ${rule}`, () => {
    assert.ok(wrong(bad, context), "the rule finds what it is for");
    const found = texts()
      .filter((one) => wrong(one.text, one.context))
      .map(({ file, line, text }) => `${file}:${line}: ${text}`);
    assert.deepEqual(found, []);
  });
}

test("every text of the page is read, and nothing else", () => {
  const source =
    'const a = "Point at a cell."; // "not this one"\nconst b = /"nor this"/; el(`${count} of ${"all of it"}`);';
  assert.deepEqual(
    literalsIn(source).map(({ text, line }) => [text, line]),
    [
      ["Point at a cell.", 1],
      ["all of it", 2],
      ["□ of □", 2],
    ],
  );
  const spread =
    'if (a) {\n  el(\n    "p",\n    {},\n    open\n      ? "`x` is open"\n      : "`x` is shut",\n' +
    '  );\n}\nconst b = "`y`";';
  const marks = RULES.find(({ rule }) => rule.startsWith("marks"));
  const marked = literalsIn(spread)
    .filter(({ text, context }) => marks?.wrong(text, context))
    .map(({ text }) => text);
  assert.deepEqual(marked, ["`x` is open", "`x` is shut"], "however a statement is laid out");
  assert.deepEqual(
    textsIn('<p title="the usual one">Press {{ key }} to <b>walk</b> on.</p>{# a note #}').map(({ text }) => text),
    ["the usual one", "Press □ to walk on."],
  );
  assert.deepEqual(
    ["div.plot", "#lens [data-map]", "grid-column: 2", "Close this number", "left:□px;top:□px"].filter(isProse),
    ["Close this number"],
  );
  const files = new Set(texts().map(({ file }) => file));
  for (const file of ["static/js/lens/lens.js", "static/js/zoom/zoom-view.js", "templates/parts/dialogs.html"])
    assert.ok(files.has(file), file);
  assert.ok(texts().length > 300);
});
