import assert from "node:assert/strict";
import { test } from "node:test";
import { amplitudeOf, backWords, listOf, swingWords, wobbleOf, wordsOf } from "../../../static/js/wobble/wobble.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";

const walk = new Walk(smallWalk());
/** @param {object} over */
const wobble = (over) =>
  wobbleOf(walk, {
    ...{ tensor: "w", index: [0, 1], slope: 0.5, gradient: 0.5 },
    moved: { w: 1, y: 0.1, loss: 1e-9 },
    chances: null,
    ...over,
  });

test("what moves less wobbles less, what moves at all is seen to, and what stands still does not wobble", () => {
  const { moves } = wobble({});
  const [w, y, loss] = [...moves.values()].map(({ amplitude }) => amplitude);
  assert.equal(w, 1);
  assert.equal(y, 0.75);
  assert.equal(loss, 0.12);
  assert.equal(moves.has("x"), false);
  assert.equal(amplitudeOf(0, 1), 0);
  assert.equal(amplitudeOf(Infinity, 1), 1);
});

test("it is said how far the loss moves, and whether that is the gradient that is shown", () => {
  assert.equal(wordsOf(walk, wobble({})), "Nudge `w[0, 1]` by ε, and `loss` moves by 0.5·ε. That is its gradient.");
  const planted = wordsOf(walk, wobble({ gradient: -0.5 }));
  assert.match(planted, /moves by 0\.5·ε\. The gradient shown says −0\.5\./);
  assert.match(wordsOf(walk, wobble({ slope: 0, gradient: 0 })), /`loss` stands still/);
  assert.match(wordsOf(walk, wobble({ gradient: null })), /The walk has no gradient of it\./);
  assert.equal(backWords(walk, wobble({})), "And back along the same way: `dw[0, 1]` = 0.5.");
  assert.equal(backWords(walk, wobble({ gradient: null })), "");
});

test("what a true gradient of zero leaves of a move is told as rounding", () => {
  const document = smallWalk();
  const w = document.nodes.find(({ name }) => name === "w");
  if (w?.gradient) w.gradient.verdict.level = "zero";
  const words = wordsOf(new Walk(document), wobble({ slope: 1e-16, gradient: -4e-8 }));
  assert.match(words, /`loss` stands still: what is left of it is rounding/);
});

test("every move is listed by its name in the code", () => {
  assert.deepEqual(listOf(walk, wobble({}))[1], { name: "y", variable: "y", most: "0.1" });
});

test("the probabilities have the names of their classes, and it is said what becomes of the right one", () => {
  const chances = { tensor: "y", row: 0, target: 1, shares: [0.25, 0.75], moves: [0.5, "-Infinity"] };
  const swing = wobble({ chances }).chances;
  assert.deepEqual(swing?.names.slice(0, 2), ["a", "b"]);
  assert.deepEqual(swing?.moves, [0.5, -Infinity]);
  assert.equal(swing && swingWords({ ...swing, target: 0 }), "..a → b: the probability of “a” moves by 0.5·ε");
  assert.match(swing ? swingWords({ ...swing, target: 0, moves: [0, 0] }) : "", /stands still$/);
});
