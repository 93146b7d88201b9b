import assert from "node:assert/strict";
import { test } from "node:test";
import { isTrained, packStep, unpackStep, withRounding } from "../../../static/js/walk/trained-step.js";

const REQUEST = '{"source":"y = x","tensors":{"x":{"role":"parameter","values":[1.0,-2.50,1e-9]}}}';

test("a step of a run is packed into an address and read as it was written, numbers and all", async () => {
  const hash = await packStep({ taken: 2057, request: REQUEST });
  assert.match(hash, /^#w=[\w-]+$/);
  assert.equal(isTrained(hash), true);
  assert.deepEqual(await unpackStep(hash), { taken: 2057, request: REQUEST });
  assert.equal(JSON.parse(withRounding(REQUEST, true)).exact, true);
  assert.equal(withRounding(REQUEST, false), REQUEST);
});

test("what was cut, changed or made up is none", async () => {
  const hash = await packStep({ taken: 1, request: REQUEST });
  for (const bad of [
    "#w=",
    "#w=abc",
    "#w=%%%",
    hash.slice(0, -9),
    await packStep({ taken: 1, request: REQUEST.slice(0, -1) }),
    await packStep({ taken: 1, request: "[1]" }),
    await packStep({ taken: NaN, request: REQUEST }),
    await packStep({ taken: 1, request: `{"x":"${"y".repeat(2 ** 20)}"}` }),
  ])
    assert.equal(await unpackStep(bad), null, bad.slice(0, 40));
  assert.equal(isTrained("#p=abc"), false);
});
