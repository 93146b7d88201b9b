import { test, beforeEach, after } from "node:test";
import assert from "node:assert/strict";
import { mountKeyboard } from "../../../static/js/shell/keyboard-controller.js";

/** As much of a page as a keyboard needs. */
class Page extends EventTarget {
  dialog = false;
  querySelector = () => (this.dialog ? {} : null);
}

/** @param {string} tag @returns {any} an element as much as a keyboard asks of one */
function element(tag) {
  const fits = (/** @type {string} */ asked) => asked.split(", ").includes(tag);
  return { matches: fits, closest: (/** @type {string} */ asked) => (fits(asked) ? element(tag) : null) };
}

const BODY = element("body");
const before = globalThis.document;
let page = new Page();
/** @type {string[]} */
let done = [];
let leave = () => {};

beforeEach(() => {
  leave();
  [page, done] = [new Page(), []];
  globalThis.document = /** @type {any} */ (page);
});
after(() => {
  leave();
  globalThis.document = before;
});

/** @param {"walk"|"train"|"chapter"|"practise"} place @param {Record<string, unknown>} [answers] what acts return */
function listen(place, answers = {}) {
  const note = (/** @type {string} */ act) => () => (done.push(act), answers[act]);
  const acts = new Proxy({}, { get: (_, act) => note(String(act)) });
  leave = mountKeyboard(place, /** @type {any} */ (acts)).unmount;
}

/** @param {string} key @param {object} [how] @param {string} [type] @returns {boolean} whether the page took it */
function press(key, { target = BODY, taken = false, ...how } = /** @type {any} */ ({}), type = "keydown") {
  const event = new Event(type, { cancelable: true });
  if (taken) event.preventDefault();
  const modifiers = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
  Object.defineProperty(event, "target", { value: target });
  page.dispatchEvent(Object.assign(event, { key, repeat: false, ...modifiers, ...how }));
  return event.defaultPrevented;
}

test("a key does what the table says, and is taken from the browser", () => {
  listen("walk");
  assert.ok(press("ArrowRight"));
  assert.ok(press("Z", { ctrlKey: true, shiftKey: true }));
  assert.ok(!press("§"));
  assert.deepEqual(done, ["next", "redo"]);
});

test("an act that returns false leaves the key to the one before it in the table, and to the browser", () => {
  listen("walk", { black: false, escape: false, leave: false });
  assert.ok(press("b"));
  assert.ok(!press("Escape"));
  assert.deepEqual(done, ["black", "backward", "escape", "leave"]);
});

test("nothing is heard while somebody types, in a dialog, or of what another has taken", () => {
  listen("practise");
  const area = element("textarea");
  assert.ok(!press("p", { target: area }));
  assert.ok(press("PageDown", { target: area }));
  page.dialog = true;
  assert.ok(!press("t"));
  page.dialog = false;
  press("t", { taken: true });
  press("t", { isComposing: true });
  assert.deepEqual(done, ["next"]);
});

test("a key that is held down does again only what leads on", () => {
  listen("walk");
  assert.ok(press("ArrowRight", { repeat: true }));
  assert.ok(press("e", { repeat: true }), "and it does not scroll");
  assert.deepEqual(done, ["next"]);
});

test("Space presses the button that was reached by keys, and not the one that was pressed with the pointer", () => {
  listen("walk");
  const button = element("button");
  assert.ok(!press(" ", { target: button }));
  const down = new Event("pointerdown");
  Object.defineProperty(down, "target", { value: { closest: () => button } });
  page.dispatchEvent(down);
  assert.ok(press(" ", { target: button }));
  assert.ok(press(" ", { target: button }, "keyup"), "some browsers press it when the key comes up");
  assert.deepEqual(done, ["play"]);
});

test("nothing is heard once it has left", () => {
  listen("walk");
  leave();
  assert.ok(!press("ArrowRight"));
  assert.deepEqual(done, []);
});
