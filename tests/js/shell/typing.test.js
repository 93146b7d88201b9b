import test from "node:test";
import assert from "node:assert/strict";
import { isTyping } from "../../../static/js/shell/typing.js";

/** @param {...string} selectors that fit the element */
const element = (...selectors) => ({
  matches: (/** @type {string} */ asked) => asked.split(/, (?![^(]*\))/).some((one) => selectors.includes(one)),
});
const WRITTEN = "input:not([type=checkbox], [type=radio], [type=range])";

test("a field has every key to itself, a slider or a switch only those that move it", () => {
  const [text, area] = [element("input", WRITTEN), element("textarea")];
  const slider = element("input");
  for (const key of ["e", " ", "ArrowLeft", "Escape"]) {
    assert.ok(isTyping(text, key));
    assert.ok(isTyping(area, key));
    assert.ok(!isTyping(element("button"), key));
  }
  assert.ok(isTyping(slider, "ArrowLeft"));
  assert.ok(isTyping(slider, " "));
  assert.ok(!isTyping(slider, "e"));
  assert.ok(!isTyping({}, "e"), "the document itself");
});
