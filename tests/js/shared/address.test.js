import { test } from "node:test";
import assert from "node:assert/strict";

/** @param {string|undefined} root @returns {Promise<typeof import("../../../static/js/shared/address.js")>} */
async function pagesIn(root) {
  /** @type {{gradwalkRoot?: string}} */ (globalThis).gradwalkRoot = root;
  return import(`../../../static/js/shared/address.js?in=${root}`);
}

test("on a server of its own every address is as it is written", async () => {
  const { at, fileAt, inFolder, pathOf } = await pagesIn(undefined);
  assert.equal(inFolder, false);
  assert.equal(at("/walk/batchnorm?step=3#p"), "/walk/batchnorm?step=3#p");
  assert.equal(fileAt("/answers/a.json"), "/answers/a.json");
  assert.equal(pathOf(new URL("http://x/walk/batchnorm?step=3")), "/walk/batchnorm");
});

test("in a folder somewhere below each page is a folder, and its path is as on a server", async () => {
  const { at, fileAt, inFolder, pathOf } = await pagesIn("/a/b");
  assert.equal(inFolder, true);
  assert.equal(at("/walk/batchnorm?step=3#p"), "/a/b/walk/batchnorm/?step=3#p");
  assert.equal(at("/"), "/a/b/");
  assert.equal(at("#part"), "#part");
  assert.equal(fileAt("/answers/a.json"), "/a/b/answers/a.json");
  for (const path of ["/a/b/walk/batchnorm/", "/a/b/walk/batchnorm", "/a/b/walk/batchnorm/index.html"])
    assert.equal(pathOf(new URL(`http://x${path}?step=3`)), "/walk/batchnorm");
  assert.equal(pathOf(new URL("http://x/a/b/")), "/");
});

test("a folder may be the root of its host", async () => {
  const { at, pathOf } = await pagesIn("");
  assert.equal(at("/learn/softmax"), "/learn/softmax/");
  assert.equal(pathOf(new URL("http://x/learn/softmax/")), "/learn/softmax");
});
