import assert from "node:assert/strict";
import { test } from "node:test";
import { Glossary } from "../../../static/js/glossary/glossary.js";

const entry = (/** @type {string} */ forms) => ({
  term: forms.split("|")[0],
  id: forms,
  forms: forms.split("|"),
  where: "",
});
const glossary = new Glossary(["logit|logits", "one-hot", "minibatch seed", "minibatch"].map(entry));
const all = () => true;
const words = (/** @type {string} */ text, wanted = all) =>
  (glossary.pieces(text, wanted) ?? []).map(({ text: part, entry: found }) => (found ? `[${part}]` : part)).join("");

test("a word is found whole, in any of its forms, the longest first", () => {
  assert.equal(words("The Logits of a minibatch seed."), "The [Logits] of a [minibatch seed].");
  assert.equal(words("one-hot rows"), "[one-hot] rows");
});

test("a part of a word is none", () => {
  assert.equal(glossary.pieces("logitscale, norm_logits, non-one-hot", all), null);
});

test("what is not wanted stays in the text, which is kept to the letter", () => {
  const seen = new Set();
  const first = (/** @type {{id: string}} */ { id }) => !seen.has(id) && Boolean(seen.add(id));
  assert.equal(
    words("logit, then logits, then one-hot", /** @type {any} */ (first)),
    "[logit], then logits, then [one-hot]",
  );
});
