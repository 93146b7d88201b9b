import assert from "node:assert/strict";
import { test } from "node:test";
import { amplitudeOf, backWords, wobbleOf, wordsOf } from "../../../static/js/wobble/wobble.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";

const walk = new Walk(smallWalk());
/** @param {object} over */
const wobble = (over) =>
  wobbleOf({
    ...{ tensor: "w", index: [0, 1], slope: 0.5, gradient: 0.5 },
    moved: { w: { most: 1 }, y: { most: 0.1 }, loss: { most: 1e-9 } },
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
