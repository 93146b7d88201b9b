import assert from "node:assert/strict";
import { test } from "node:test";
import { offeredTensor } from "../../../static/js/editor/program-names.js";

/** @param {Partial<import("../../../static/js/walk/found-types.js").Need>} known */
const need = (known) => ({
  name: "q",
  kind: /** @type {"decimals"|"whole"} */ ("decimals"),
  shape: null,
  below: null,
  fits: [],
  because: "",
  ...known,
});

test("a row that is offered has the shape and the role that its use tells", () => {
  assert.deepEqual(offeredTensor("W", undefined), { name: "W", role: "parameter", fill: "randn" });
  assert.equal(offeredTensor("W", need({ shape: [6, 10] })).shape, "6, 10");
  assert.equal(offeredTensor("s", need({ shape: [] })).shape, "()");
  assert.equal(offeredTensor("W", need({})).shape, "");
  const classes = offeredTensor("labels_of", need({ kind: "whole", shape: [8], below: 4 }));
  assert.deepEqual([classes.role, classes.fill, classes.low, classes.high], ["target", "randint", "0", "4"]);
  assert.deepEqual(offeredTensor("Xb", need({ kind: "whole", shape: [8] })).role, "data");
  assert.deepEqual(offeredTensor("y", need({ shape: [8, 4] })).fill, "randn");
});
