import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, besideAddress, placeOf, untouched, walkLink } from "../../../static/js/walk/side-by-side.js";

const PLANTED = "/walk/batchnorm?seed=3&plant=12.sign&step=9";

test("a link keeps what makes the walk, and leaves out how it is looked at", () => {
  assert.equal(walkLink(`https://example.org${PLANTED}`), "/walk/batchnorm?seed=3&plant=12.sign");
  assert.equal(walkLink("/code?step=4&cell=0,1#p=abc"), "/code#p=abc");
  assert.equal(walkLink(" makemore-mlp "), "/walk/makemore-mlp");
});

test("what leads to no walk is none", () => {
  for (const text of [
    "",
    "   ",
    "/learn/batchnorm",
    "https://example.org/",
    "/walk/",
    "javascript:alert(1)",
    "http://[",
  ])
    assert.equal(walkLink(text), null, text);
});

test("an address is read as it was written, programs with signs of their own too", () => {
  const place = { left: "/walk/a?plant=3=dx = dy * w", right: "/code#p=a-b_c", moment: 4, projector: true };
  const address = addressOf(place);
  assert.ok(address.startsWith("/compare?at=5&p=1#left=/walk/a"));
  assert.deepEqual(placeOf(new URL(address, "http://gradwalk")), place);
  assert.deepEqual(placeOf(new URL("http://gradwalk/compare?at=-3")), {
    left: "",
    right: "",
    moment: 0,
    projector: false,
  });
});

test("a walk that was changed or planted stands beside itself without that", () => {
  assert.equal(untouched("/walk/a?seed=3&plant=12.sign&changes=b.0:1"), "/walk/a?seed=3");
  const planted = placeOf(new URL(besideAddress(PLANTED), "http://gradwalk"));
  assert.deepEqual([planted.left, planted.right], ["/walk/batchnorm?seed=3", "/walk/batchnorm?seed=3&plant=12.sign"]);
  const plain = placeOf(new URL(besideAddress("/walk/batchnorm?step=4"), "http://gradwalk"));
  assert.deepEqual([plain.left, plain.right], ["/walk/batchnorm", ""]);
});
