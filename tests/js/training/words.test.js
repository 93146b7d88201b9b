import assert from "node:assert/strict";
import { test } from "node:test";
import { verdictNotes } from "../../../static/js/training/words.js";

/** @param {string} name @param {any} level @param {any} printed @param {number|null} maxdiff @returns {any} */
const judged = (name, level, printed, maxdiff = null) => ({ name, level, maxdiff, printed: { level: printed } });

test("each verdict is said in words, with the gradients that have it, the gravest first", () => {
  const told = verdictNotes([
    judged("W1", "approximate", "exact", 2e-9),
    judged("b1", "zero", "exact", 1e-9),
    judged("W2", "autograd-not-finite", "lines-not-finite"),
    judged("b2", "exact", "exact", 0),
  ]);
  assert.deepEqual(
    told.map(({ level, word, text }) => [level, word, text]),
    [
      ["lines-not-finite", "NaN or infinite", "the printed lines, run one by one, give NaN or infinity (`dW2`)"],
      [
        "autograd-not-finite",
        "no verdict",
        "autograd’s is NaN or infinite, this is not: there is nothing to compare (`dW2`)",
      ],
      ["zero", "true zero", "the true value is zero, what is left is rounding, by at most 1·10⁻⁹ (`db1`)"],
      ["approximate", "approximate", "equal to autograd's up to rounding, by at most 2·10⁻⁹ (`dW1`)"],
    ],
  );
});

test("what all gradients have in common names none of them, and what is exact needs no words", () => {
  const [note, ...more] = verdictNotes([judged("W", "wrong", "wrong", 3), judged("b", "wrong", "wrong", 0.5)]);
  assert.equal(note.text, "not equal to autograd's, by at most 3; beside the printed lines, run one by one, too");
  assert.deepEqual(more, []);
});
