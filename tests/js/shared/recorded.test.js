import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { canonical, scopeOf } from "../../../static/js/shared/recorded.js";

/** @type {{path: string, body: string|null, spelling: string, scope: string}[]} */
const CASES = JSON.parse(readFileSync(new URL("../../support/spellings.json", import.meta.url), "utf8"));

test("a question has one spelling, and what it is about is known by it", () => {
  for (const { path, body, spelling, scope } of CASES) {
    assert.equal(canonical(path, body), spelling);
    assert.equal(scopeOf(path, spelling), scope);
  }
});
