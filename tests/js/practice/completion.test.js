import assert from "node:assert/strict";
import { test } from "node:test";
import { offers, offersAt, placeAt } from "../../../static/js/practice/completion.js";

const SCOPE = ["dcounts", "dcounts_sum", "counts", "counts_sum", "probs", "n"].map((name) => ({ name, shape: [2] }));
const names = (/** @type {{name: string}[]} */ found) => found.map(({ name }) => name);

test("the name that ends at the caret is what is being typed, to its own end", () => {
  assert.deepEqual(placeAt("dprobs = coun_sum * x", 13), { from: 9, to: 17, word: "coun" });
  assert.deepEqual(placeAt("a = b\nc = de", 12), { from: 10, to: 12, word: "de" });
  assert.equal(placeAt("x = ", 4)?.word, "");
});

test("a method, a number and a comment are no names in scope", () => {
  for (const text of ["x.su", "x = 1e", "x = 2n", "x = 1  # dco"]) assert.equal(placeAt(text, text.length), null, text);
});

test("names that begin with the word come before those that have it inside", () => {
  assert.deepEqual(names(offers(SCOPE, "counts")), ["counts", "counts_sum", "dcounts", "dcounts_sum"]);
  assert.deepEqual(names(offers(SCOPE, "DC")), ["dcounts", "dcounts_sum"]);
  assert.deepEqual(names(offers(SCOPE, "")), names(SCOPE));
});

test("nothing is offered before the first letter, nor for a name that can become no other", () => {
  assert.deepEqual(offersAt(SCOPE, "x = ", 4), []);
  assert.deepEqual(offersAt(SCOPE, "x = probs", 9), []);
  assert.deepEqual(names(offersAt(SCOPE, "x = counts", 10))[0], "counts");
});
