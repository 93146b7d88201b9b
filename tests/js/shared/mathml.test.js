import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { formulaOf, piecesOf } from "../../../static/js/shared/mathml.js";
/** @typedef {import("../../../static/js/shared/mathml.js").Part} Part */

const WALKS = new URL("../../backend/golden/walks/", import.meta.url);

/** @param {Part|string} part @returns {string} its text, as a reader sees it */
function textOf(part) {
  return typeof part === "string" ? part : part.children.map(textOf).join("");
}

test("a formula is read as the tree it is", () => {
  assert.deepEqual(
    formulaOf(
      `<math display="block"><mrow><mi mathvariant="normal">h</mi><mspace width='0.2em'/><mo>&lt;</mo></mrow></math>`,
    ),
    {
      tag: "math",
      attributes: [["display", "block"]],
      children: [
        {
          tag: "mrow",
          attributes: [],
          children: [
            { tag: "mi", attributes: [["mathvariant", "normal"]], children: ["h"] },
            { tag: "mspace", attributes: [["width", "0.2em"]], children: [] },
            { tag: "mo", attributes: [], children: ["<"] },
          ],
        },
      ],
    },
  );
});

test("entities are the characters they stand for, once", () => {
  assert.equal(textOf(formulaOf("<math>&amp;lt; &#8289;&#x2202;&quot;&nope;</math>") ?? ""), '&lt; \u2061∂"&nope;');
});

test("every formula of the golden walks is read whole", () => {
  const found = readdirSync(WALKS).flatMap(
    (name) => readFileSync(new URL(name, WALKS), "utf8").match(/<math.*?<\/math>/g) ?? [],
  );
  assert.ok(found.length > 100);
  for (const source of found) {
    const formula = formulaOf(source);
    assert.ok(formula, source);
    assert.equal(textOf(formula).length > 0, true);
  }
});

for (const source of [
  "",
  "text",
  "<b>x</b>",
  "<math><script>alert(1)</script></math>",
  '<math><mi onclick="x">x</mi></math>',
  '<math href="javascript:x"></math>',
  "<math><mi>x</math>",
  "<math></math><math></math>",
  "<math></math>x",
  "<math>",
  "</math>",
  "<math><mi>x</mi></math",
  "<math><mrow/></mrow></math>",
  '<math display="<">x</math>',
]) {
  test(`${JSON.stringify(source)} is no formula`, () => assert.equal(formulaOf(source), null));
}

test("a formula is cut before its outermost signs, where a line may end", () => {
  const mo = (/** @type {string} */ sign) => `<mo>${sign}</mo>`;
  const row = `<mi>a</mi>${mo("=")}<mi>b</mi>${mo("⊙")}${mo("(")}<mi>c</mi>${mo("+")}<mi>d</mi>${mo(")")}`;
  const formula = formulaOf(`<math display="block"><mrow>${row}</mrow></math>`);
  assert.ok(formula);
  assert.deepEqual(piecesOf(formula).map(textOf), ["a", "=b", "⊙(c+d)"]);
  const minus = formulaOf(`<math><mrow>${mo("−")}<mi>a</mi></mrow></math>`);
  assert.deepEqual(piecesOf(/** @type {any} */ (minus)).map(textOf), ["−a"]);
});
