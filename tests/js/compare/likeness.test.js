import assert from "node:assert/strict";
import { test } from "node:test";
import { likenessSigns, likenessWords } from "../../../static/js/compare/likeness.js";

/** @param {object} over @returns {any} */
function side(over = {}) {
  return { shape: [2, 3], length: 2, cells: 6, zeros: 0, broken: 0, ...over };
}

/** @param {string} kind @param {object} over @returns {any} */
function like(kind, over = {}) {
  return { kind, left: side(), right: side(), ratio: 1, cosine: 1, first: null, differing: 0, ...over };
}

/** @type {[string, string]} */
const WHERE = ["on the left", "on the right"];
const words = (/** @type {any} */ one) => likenessWords(one, "dW", WHERE);

test("what differs is told in one sentence, with the side that it is about", () => {
  assert.equal(words(like("same")), "`dW` is the same, bit for bit.");
  assert.equal(words(like("rounding")), "`dW` is the same but for rounding.");
  assert.equal(words(like("scale", { ratio: 4 })), "On the right, `dW` has the same direction and is 4 times as long.");
  const back = like("opposite", { ratio: 1.001, cosine: -1 });
  assert.equal(words(back), "On the right, `dW` has the opposite direction and is as long.");
  const turned = like("turned", { ratio: 0.437, cosine: 0.5, first: [0, 1], differing: 5 });
  assert.match(
    words(turned),
    /cosine 0\.50\) and is 0\.437 times as long\. 5 of 6 cells differ, the first at \[0, 1\]\.$/,
  );
  assert.equal(
    words(like("shape", { right: side({ shape: [6] }) })),
    "`dW` has the shape (2, 3) on the left, (6,) on the right.",
  );
  assert.equal(words(like("missing", { left: null })), "On the left, there is no `dW`.");
});

test("a single number has a size and a sign, no direction", () => {
  const one = { left: side({ shape: [], cells: 1 }), right: side({ shape: [], cells: 1 }) };
  const told = (/** @type {string} */ kind, /** @type {object} */ over) => words(like(kind, { ...one, ...over }));
  assert.equal(told("scale", { ratio: 1.0123 }), "On the right, `dW` is 1.01 times as large.");
  assert.equal(told("scale", { ratio: 1.00021 }), "On the right, `dW` is 1.00021 times as large.");
  assert.equal(told("opposite", { ratio: 3 }), "On the right, `dW` has the opposite sign and is 3 times as large.");
  assert.equal(told("opposite", { ratio: 1 }), "On the right, `dW` has the opposite sign and is as large.");
  const residue = { right: side({ shape: [], cells: 1, length: 1e-8 }), ratio: 6e-8 };
  assert.equal(told("zero", residue), "On the right, `dW` is no more than rounding: 6·10⁻⁸ times as large.");
});

test("a zero is told from its rounding, on whichever side it is", () => {
  const zero = { zeros: 6, length: 0 };
  assert.equal(
    words(like("zero", { right: side(zero), ratio: 0 })),
    "On the right, every cell of `dW` is exactly zero.",
  );
  assert.equal(
    words(like("zero", { left: side(zero), ratio: null })),
    "On the left, every cell of `dW` is exactly zero.",
  );
  const residue = like("zero", { right: side({ length: 1e-8 }), ratio: 6e-8 });
  assert.equal(words(residue), "On the right, `dW` is no more than rounding: 6·10⁻⁸ times as long.");
});

test("cells that are no numbers are counted where they are", () => {
  assert.equal(
    words(like("broken", { right: side({ broken: 2, length: "NaN" }) })),
    "On the right, 2 of 6 cells of `dW` aren’t finite.",
  );
  const one = side({ broken: 1, cells: 1, length: "NaN" });
  assert.equal(words(like("broken", { right: one })), "On the right, `dW` isn’t finite.");
});

test("in signs it is short, and nothing where nothing is known", () => {
  assert.equal(likenessSigns(like("turned", { ratio: 0.437, cosine: 0.5 })), "0.437× cos 0.50");
  assert.equal(likenessSigns(like("turned", { ratio: 0.437, cosine: 0.9996 })), "0.437× cos 0.9996");
  assert.equal(likenessSigns(like("turned", { ratio: 0.437, cosine: -0.9996 })), "0.437× cos −0.9996");
  assert.equal(likenessSigns(like("missing")), "");
  assert.equal(likenessSigns(null), "");
  assert.equal(likenessWords(null, "dW", WHERE), "");
});
