import assert from "node:assert/strict";
import { test } from "node:test";
import { placeByKey } from "../../../static/js/pieces/places.js";

/** @param {string} key @param {object} [held] */
const pressed = (key, held = {}) => placeByKey(/** @type {any} */ ({ key, ...held }), 3, 9);

test("arrow keys lead to the places beside, Home and End to the first and the last", () => {
  assert.deepEqual(
    ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"].map((key) => pressed(key)),
    [4, 4, 2, 2],
  );
  assert.deepEqual([pressed("Home"), pressed("End")], [0, 8]);
});

test("other keys, and those of the browser, lead nowhere", () => {
  assert.equal(pressed("a"), null);
  for (const held of ["ctrlKey", "metaKey", "altKey"]) assert.equal(pressed("ArrowRight", { [held]: true }), null);
});
