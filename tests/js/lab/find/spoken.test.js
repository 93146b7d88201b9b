import assert from "node:assert/strict";
import { test } from "node:test";
import { nudgeWords, runWords, spoken, unnudgedWords } from "../../../../static/js/lab/find/spoken.js";

const NUDGE = { line: 2, cell: [0, 1], name: "dh", printed: 0.5, numeric: -0.5, step: 1e-3, agrees: false };
const BUG = /** @type {any} */ ({ wrong: [3, 2, "NaN"] });

test("a nudge tells both numbers", () => {
  assert.equal(nudgeWords(NUDGE), "`dh[0, 1]` is **0.5** as printed, but **−0.5** when nudged.");
  assert.match(nudgeWords({ ...NUDGE, numeric: 0.5, agrees: true }), /they agree/);
  assert.match(nudgeWords({ ...NUDGE, numeric: 0.5000001 }), /is \*\*0.5\*\* as printed, but \*\*0.5000001\*\*/);
  assert.match(nudgeWords({ ...NUDGE, numeric: 0.5000001, agrees: true }), /and \*\*0.5\*\* when nudged: they agree/);
});

test("a gradient is nudged at the line that makes it whole, and where it is of a named tensor", () => {
  const lines = [
    ["dh", true],
    ["dx", true],
    ["dh", true],
    ["dh_sum", false],
  ].map(([name, named], line) => /** @type {any} */ ({ line, name, named, code: "", shape: [] }));
  const words = lines.map((line) => unnudgedWords({ lines }, line));
  assert.deepEqual(words.slice(1, 3), ["", ""]);
  assert.match(words[0], /^Line 3 adds to it/);
  assert.match(words[3], /no named tensor/);
});

test("a second run is the same, or ends elsewhere", () => {
  assert.match(runWords({ line: 4, losses: [3, 2, "NaN"] }, BUG), /line 5 put right the run is the same/);
  assert.match(runWords({ line: 4, losses: [3, 2, 1] }, BUG), /ends at \*\*1\*\*/);
});

test("a voice hears no marks", () => {
  assert.equal(spoken(BUG, { do: "nudge", line: 2 }, NUDGE), "dh[0, 1] is 0.5 as printed, but −0.5 when nudged.");
  assert.equal(spoken(BUG, { do: "accuse", line: 2 }, { right: false }), "It isn’t line 3.");
  assert.equal(spoken(BUG, { do: "accuse", line: 2 }, { right: true }), "It is line 3. What is wrong with it?");
});
