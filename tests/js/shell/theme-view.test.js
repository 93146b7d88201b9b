import assert from "node:assert/strict";
import { after, test } from "node:test";
import { onTheme, shownTheme, toggleTheme } from "../../../static/js/shell/theme-view.js";

const before = [globalThis.document, globalThis.localStorage];
/** @type {Record<string, string>} */
const kept = {};
const put = (/** @type {string} */ name, /** @type {unknown} */ value) =>
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

after(() => ["document", "localStorage"].forEach((name, i) => put(name, before[i])));

test("the other theme is worn, remembered, and told to whoever draws colours", () => {
  put("document", { documentElement: { dataset: { theme: "dark" } } });
  put("localStorage", { setItem: (/** @type {string} */ name, /** @type {string} */ value) => (kept[name] = value) });
  /** @type {string[]} */
  const drawn = [];
  const stop = onTheme(() => drawn.push(shownTheme()));
  toggleTheme();
  toggleTheme();
  stop();
  toggleTheme();
  assert.deepEqual(drawn, ["light", "dark"]);
  assert.deepEqual(kept, { "gradwalk:theme": "light" });
  put("localStorage", {
    setItem() {
      throw new Error("storage is forbidden");
    },
  });
  toggleTheme();
  assert.equal(shownTheme(), "dark");
});
