import assert from "node:assert/strict";
import { test } from "node:test";
import { draggedTo } from "../../../static/js/classroom/dragged.js";

test("a number that is dragged is changed in the walk after what was changed before", () => {
  const w = { tensor: "w", index: [0, 3], value: -1.5, address: "/walk/first-steps?step=4&changes=b*2" };
  assert.equal(draggedTo(w, 0.25), "/walk/first-steps?step=4&changes=b*2,w.0.3:0.25");
  assert.equal(draggedTo({ ...w, index: [], address: "/walk/x" }, -1.5), "/walk/x?changes=w:-1.5");
});
