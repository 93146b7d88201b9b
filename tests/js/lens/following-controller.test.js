import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFollowing } from "../../../static/js/lens/following-controller.js";
import { frameOf } from "../../../static/js/walk/frame.js";
import { Predictions } from "../../../static/js/quiz/predictions.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";
import { calm } from "../state.js";

const walk = new Walk(smallWalk());
const TERM = /** @type {any} */ ({ through: "y", cell: [1, 2], factor: { tensor: "x", cell: [1, 2], of: "value" } });

/** Someone who looks into dw[2] at the step that made it, and goes where the following leads. */
function reader() {
  const state = { ...calm, step: 6, cell: [2], of: "gradient", tensor: "w" };
  const looking = /** @type {any} */ ({ answer: { terms: [TERM] }, opened: false, from: null });
  const frame = (/** @type {object} */ next) => frameOf(walk, /** @type {any} */ (next), new Predictions());
  looking.frame = frame(state);
  const following = makeFollowing(looking, (next) => (looking.frame = frame({ ...looking.frame.state, ...next })));
  return { looking, following, where: () => [looking.frame.step.index, ...looking.frame.state.cell] };
}

test("a term leads to the number that it came through, and back", () => {
  const { looking, following, where } = reader();
  const start = where();
  assert.ok(following.leads(TERM));
  following.follow(TERM);
  assert.deepEqual([...where(), looking.opened], [3, 1, 2, true]);
  assert.ok(following.back());
  assert.deepEqual(where(), start);
  assert.equal(looking.from.tensor, "y", "the term that one comes back from gets the focus");
  assert.equal(following.back(), false);
});

test("from several numbers on, home is where one began, and no single term is returned to", () => {
  const { looking, following, where } = reader();
  const start = where();
  following.follow(TERM);
  following.follow({ ...TERM, through: "loss", cell: [] });
  assert.equal(looking.frame.state.trail.length, 2);
  assert.ok(following.back());
  assert.deepEqual(where(), [3, 1, 2], "back leads one number back");
  following.follow({ ...TERM, through: "loss", cell: [] });
  assert.ok(following.home());
  assert.deepEqual(where(), start);
  assert.equal(looking.from, null);
  assert.equal(following.home(), false);
});

test("the other factor is where it was made, and a node is followed only if a term leads through it", () => {
  const { looking, following, where } = reader();
  following.follow(TERM, true);
  assert.deepEqual([looking.frame.node.name, looking.frame.state.of], ["x", "value"]);
  const other = reader();
  assert.equal(other.following.through("x"), false);
  assert.equal(other.following.through("y"), true);
  assert.deepEqual(other.where(), [3, 1, 2]);
});
