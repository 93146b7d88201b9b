import assert from "node:assert/strict";
import test from "node:test";
import { againstAutograd, freshRuns, headline, spokenStage } from "../../../static/js/pieces/derivation.js";

const CHECK = { level: "approximate", maxdiff: 1e-9, share: 1e-7, words: "at most 1·10⁻⁹ apart" };
const MADE = /** @type {import("../../../static/js/pieces/derivation.js").Derivation} */ ({
  variable: "dx",
  collapses: 8,
  added: [],
  end: "The algebra is exact.",
  stages: [
    { code: "a\nb", text: "8 lines.", before: null, autograd: { ...CHECK, level: "exact", words: "bit for bit" } },
    { code: "dx = c", text: "One.", before: CHECK, autograd: CHECK },
  ],
});

test("what is new in a line is marked, and nothing else", () => {
  const runs = freshRuns("dx = p * (dp - (p * dp).sum(1))", "dx = p * (dq / p - (p * (dq / p)).sum(1))");
  assert.equal(runs.map(({ text }) => text).join(""), "dx = p * (dq / p - (p * (dq / p)).sum(1))");
  const fresh = runs.filter((run) => run.fresh).map(({ text }) => text.trim());
  assert.ok(
    fresh.some((text) => text.startsWith("dq")),
    String(fresh),
  );
  assert.ok(!fresh.some((text) => /sum|dx/.test(text)), String(fresh));
  assert.deepEqual(freshRuns("a + b", "a + b"), [{ text: "a + b", fresh: false }]);
  assert.deepEqual(
    freshRuns("", "a").map(({ fresh }) => fresh),
    [true],
  );
});

test("a headline counts the steps", () => {
  assert.equal(headline(MADE), "8 steps to dx collapse into one line");
  assert.match(headline({ ...MADE, collapses: 1 }), /^dx in one line/);
});

test("what comes back on another path is said where it is added", () => {
  assert.equal(againstAutograd(MADE), "against autograd");
  const beside = { ...MADE, added: ["dx = 2 * dz"] };
  assert.equal(againstAutograd(beside), "with the other path, against autograd");
  assert.match(spokenStage(beside, 0), /With the other path, against autograd: exact, bit for bit\.$/);
});

test("a stage is spoken with what it is equal to; the last one with how exact it is", () => {
  assert.equal(spokenStage(MADE, 0), "Stage 1 of 2. 8 lines. Against autograd: exact, bit for bit.");
  assert.equal(
    spokenStage(MADE, 1),
    "Stage 2 of 2. One. Against the stage before: approximate, at most 1·10⁻⁹ apart. The algebra is exact.",
  );
});
