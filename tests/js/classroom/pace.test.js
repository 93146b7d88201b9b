import assert from "node:assert/strict";
import { test } from "node:test";
import { stepOf, wayOf } from "../../../static/js/classroom/pace.js";

const HERE = "/walk/first-steps?step=5";

test("who follows is where the class is, and who comes late too, whatever the pace", () => {
  assert.equal(wayOf("follow", HERE, "/walk/first-steps?step=9"), HERE);
  for (const pace of /** @type {const} */ (["follow", "upto", "free"])) assert.equal(wayOf(pace, HERE, ""), HERE);
});

test("up to here: back and forth before the class's step, and not beyond it, nor elsewhere", () => {
  for (const step of [1, 4, 5]) assert.equal(wayOf("upto", HERE, `/walk/first-steps?step=${step}`), "");
  assert.equal(wayOf("upto", HERE, "/walk/first-steps"), "");
  assert.equal(wayOf("upto", HERE, "/walk/first-steps?step=6"), HERE);
  assert.equal(wayOf("upto", HERE, "/walk/softmax?step=2"), HERE);
  assert.equal(wayOf("free", HERE, "/walk/softmax?step=90"), "");
});

test("steps are counted as the page counts them", () => {
  const addresses = ["/walk/x", "/walk/x?step=40&seed=7", "/walk/x?step=-3", "/walk/x?step=a"];
  assert.deepEqual(addresses.map(stepOf), [1, 40, 1, 1]);
});
