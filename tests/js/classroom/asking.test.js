import assert from "node:assert/strict";
import { test } from "node:test";
import { askAbout } from "../../../static/js/classroom/asking.js";

test("the next step of the walk on show is asked about, with its numbers as they are", () => {
  assert.deepEqual(askAbout("choice", "/walk/makemore-mlp?seed=7&step=40", ""), {
    kind: "choice",
    walk: { lesson: "makemore-mlp", seed: 7, exact: false },
    step: 40,
  });
  assert.deepEqual(askAbout("gradient", "/walk/first-steps", "x"), {
    kind: "gradient",
    walk: { lesson: "first-steps", exact: false },
    target: "x",
  });
  const walk = { lesson: "first-steps", exact: false };
  assert.deepEqual(askAbout("number", "/walk/first-steps", "y"), { kind: "number", walk, cell: "y" });
  assert.deepEqual(askAbout("axis", "/walk/first-steps", "b"), { kind: "axis", walk, tensor: "b" });
  const dragged = { kind: "drag", walk, cell: "w[0]", goal: "loss" };
  for (const [text, value] of /** @type {const} */ ([
    ["loss = 0.5", 0.5],
    ["loss=−2,5", -2.5],
    ["loss", null],
  ]))
    assert.deepEqual(askAbout("drag", "/walk/first-steps", "w[0]", text), { ...dragged, value });
  assert.equal(askAbout("choice", "/learn/broadcasting", ""), null);
  assert.equal(askAbout("choice", "/code#program", ""), null);
});
