import { test } from "node:test";
import assert from "node:assert/strict";

/**
 * @param {string} [root] @param {string} [file]
 * @returns {Promise<typeof import("../../../static/js/shared/address.js")>}
 */
async function pagesIn(root, file) {
  Object.assign(globalThis, { gradwalkRoot: root, gradwalkFile: file });
  return import(`../../../static/js/shared/address.js?in=${root}&alone=${file}`);
}

test("on a server of its own every address is as it is written", async () => {
  const { at, fileAt, isRecorded, pathOf } = await pagesIn();
  assert.equal(isRecorded, false);
  assert.equal(at("/walk/batchnorm?step=3#p"), "/walk/batchnorm?step=3#p");
  assert.equal(fileAt("/answers/a.json"), "/answers/a.json");
  assert.equal(pathOf(new URL("http://x/walk/batchnorm?step=3")), "/walk/batchnorm");
});

test("in a folder somewhere below each page is a folder, and its path is as on a server", async () => {
  const { at, fileAt, isRecorded, pathOf } = await pagesIn("/a/b");
  assert.equal(isRecorded, true);
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

test("a walk alone in its file has no other address", async () => {
  const { at, isAlone, isRecorded, pathOf } = await pagesIn(undefined, "/home/ada/walk.html");
  assert.ok(isAlone && isRecorded);
  assert.equal(at("/walk/own?step=3#p"), "/home/ada/walk.html?step=3#p");
  assert.equal(pathOf(new URL("file:///home/ada/walk.html?step=3")), "");
});
