import assert from "node:assert/strict";
import { test } from "node:test";
import {
  amountOf,
  changeWords,
  changesIn,
  changesText,
  withAmount,
  withChange,
  withChanges,
  withOtherChanges,
} from "../../../static/js/walk/changes.js";
/** @typedef {import("../../../static/js/walk/changes.js").Change} Change */

/** @type {Change[]} */
const ALL = [
  { tensor: "b2", index: [5], value: -0.125 },
  { tensor: "loss_2", value: 1e-7 },
  { tensor: "W1", index: [0, 3], scale: 1e22 },
  { tensor: "h", scale: 0 },
  { tensor: "W1", noise: 0.1, seed: 3 },
  { descend: 0.1, steps: 10 },
];
/** @type {Change[]} */
const MORE = [
  { tensor: "h", index: [3], value: 0 },
  { tensor: "W1", index: [null, 5], shift: -0.25 },
  { tensor: "_x", index: [[0, 4], 2], saturate: 3 },
  { tensor: "W1", index: [[1, 3]], noise: 0.1, seed: 0 },
];

test("rows, columns and ranges go into an address, too", () => {
  assert.equal(changesText(MORE), "h.3:0,W1._.5;-0.25,_x.0-4.2!3,W1.1-3~0.1@0");
  const url = new URL(`http://x/?changes=${changesText(MORE)}`);
  assert.deepEqual(changesIn(url.searchParams.get("changes")), MORE);
  assert.deepEqual(MORE.map(changeWords), [
    "`h[3]` = 0",
    "`W1[:, 5]` − 0.25",
    "`_x[0:4, 2]` → ±3",
    "`W1[1:3]` + noise of size 0.1",
  ]);
});

test("a slider moves the amount of a change and nothing else", () => {
  for (const change of [...ALL, ...MORE]) {
    assert.deepEqual(withAmount(change, amountOf(change)), change);
    assert.equal(amountOf(withAmount(change, 7)), 7);
  }
});

test("changes go into an address and come out of it as they were", () => {
  assert.equal(changesText(ALL), "b2.5:-0.125,loss_2:1e-7,W1.0.3*1e22,h*0,W1~0.1@3,descend:0.1*10");
  const url = new URL(`http://x/?changes=${changesText(ALL)}`);
  assert.deepEqual(changesIn(url.searchParams.get("changes")), ALL);
});

test("a text that is not one of ours changes nothing", () => {
  for (const text of [
    null,
    "",
    "b2",
    "b2.5:",
    "b2.5:nan",
    "b2.-4:1",
    "b2.4-:1",
    "W1:1@3",
    "W1~0.1",
    "descend:0.1*0",
    "descend:0.1*101",
    "a:1,",
    "a:1,<b>:2",
    "1a:1",
  ])
    assert.deepEqual(changesIn(text), [], String(text));
  assert.deepEqual(changesIn(Array(65).fill("a:1").join(",")), []);
});

test("a number moved twice is moved once, and descents at one rate add up", () => {
  const moved = withChange(ALL.slice(0, 1), { tensor: "b2", index: [5], value: 3 });
  assert.deepEqual(moved, [{ tensor: "b2", index: [5], value: 3 }]);
  assert.equal(withChange(ALL.slice(0, 1), { tensor: "b2", index: [6], value: 3 }).length, 2);
  assert.deepEqual(withChange(ALL, { descend: 0.1, steps: 1 }).at(-1), { descend: 0.1, steps: 11 });
  assert.equal(withChange(ALL, { descend: 1, steps: 1 }).length, 7);
  assert.deepEqual(withChange([{ descend: 1, steps: 95 }], { descend: 1, steps: 10 }).length, 2);
});

test("a request is the same text with the changes at its end", () => {
  const request = '{"lesson":"a", "exact":false }';
  assert.equal(withChanges(request, []), request);
  assert.deepEqual(JSON.parse(withChanges(request, ALL)), { lesson: "a", exact: false, changes: ALL });
});

test("changes take the place of others, and none of none", () => {
  const request = '{"lesson":"a","scale":1.0}';
  const some = withChanges(request, ALL.slice(0, 2));
  assert.equal(withOtherChanges(some, ALL.slice(0, 2), ALL), withChanges(request, ALL));
  assert.equal(withOtherChanges(some, ALL.slice(0, 2), []), request);
  assert.equal(withOtherChanges(request, [], ALL), withChanges(request, ALL));
});

test("each kind of change in words", () => {
  assert.deepEqual(ALL.map(changeWords), [
    "`b2[5]` = −0.125",
    "`loss_2` = 1·10⁻⁷",
    "`W1[0, 3]` × 1·10²²",
    "`h` × 0",
    "`W1` + noise of size 0.1",
    "10 steps of gradient descent, learning rate 0.1",
  ]);
});
