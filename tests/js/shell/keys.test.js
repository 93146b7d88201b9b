import test from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { KEYS, actsOf, keyOf, labelOf, labelsOf, listOf } from "../../../static/js/shell/keys.js";
import { filesIn } from "../texts.js";

const read = (/** @type {string} */ path) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

/** @param {string} key as the table names it @returns {import("../../../static/js/shell/keys.js").Press} */
function pressOf(key) {
  const names = key.split(/(?<=.)\+/);
  const last = names.at(-1) ?? "";
  const shiftKey = names.includes("Shift") && last !== "Shift";
  return { ...plain, key: last === "1–9" ? "7" : last, ctrlKey: names.includes("Ctrl"), shiftKey };
}

/** @param {import("../../../static/js/shell/keys.js").Place} place @param {object} press @param {boolean} [typing] */
function acts(place, press, typing = false) {
  return actsOf(place, { ...plain, key: "", ...press }, typing).map(({ act }) => act);
}

test("a press of what the table names does what it says, wherever it holds", () => {
  for (const [places, keys, , how] of /** @type {readonly import("../../../static/js/shell/keys.js").Row[]} */ (KEYS))
    for (const place of places)
      for (const [key, act] of Object.entries(keys)) {
        const heard = acts(place, pressOf(key)).includes(act);
        assert.equal(heard, how !== "inside", `${place}: ${key}`);
      }
});

test("a key means two things at a place only where the inner one may leave it to the outer", () => {
  const rows = /** @type {readonly import("../../../static/js/shell/keys.js").Row[]} */ (KEYS);
  const heard = rows.filter(([, , , how]) => how !== "inside");
  const all = heard.flatMap(([places, keys]) =>
    places.flatMap((place) => Object.keys(keys).map((key) => `${place} ${key}`)),
  );
  const twice = [...new Set(all.filter((one, i) => all.indexOf(one) !== i))].sort();
  assert.deepEqual(twice, ["chapter Escape", "code Escape", "code b", "compare b", "walk Escape", "walk b"]);
  assert.deepEqual(acts("walk", { key: "b" }), ["black", "backward"]);
  assert.deepEqual(acts("walk", { key: "Escape" }), ["escape", "leave"]);
  assert.deepEqual(acts("chapter", { key: "Escape" }), ["leave", "reset"]);
});

test("modifiers, capitals and digits", () => {
  assert.deepEqual(acts("train", { key: "S", shiftKey: true }), ["ten", "one"]);
  assert.deepEqual(acts("train", { key: "S" }), ["one"], "with caps lock");
  assert.deepEqual(acts("walk", { key: "z", ctrlKey: true }), ["undo"]);
  assert.deepEqual(acts("walk", { key: "Z", metaKey: true, shiftKey: true }), ["redo", "undo"]);
  assert.deepEqual(acts("walk", { key: "?", shiftKey: true }), ["help"]);
  assert.deepEqual(acts("walk", { key: "7" }), ["digit"]);
  assert.deepEqual(acts("walk", { key: "0" }), []);
  assert.deepEqual(acts("walk", { key: "e", altKey: true }), []);
  assert.deepEqual(acts("walk", { key: "e", ctrlKey: true }), []);
  assert.deepEqual(acts("practise", { key: "p" }, true), []);
  assert.deepEqual(acts("practise", { key: "PageDown" }, true), ["next"]);
  assert.equal(actsOf("walk", { ...plain, key: "ArrowRight" }, false)[0].repeats, true);
  assert.equal(actsOf("walk", { ...plain, key: "e" }, false)[0].repeats, false);
});

test("what is printed on the keys", () => {
  assert.deepEqual(["ArrowRight", " ", "1–9", "Ctrl+z", "Ctrl+Enter", "+", "?"].flatMap(labelsOf), [
    ...["→", "Space", "1", "9", "Ctrl", "Z", "Ctrl", "↵", "+", "?"],
  ]);
  assert.throws(() => keyOf("no such act"), /no such act/);
});

test("the README names keys of the list", () => {
  const readme = read("README.md");
  const named = [...readme.matchAll(/<kbd>(.+?)<\/kbd>/g)].map(([, key]) => key);
  const meant = [...readme.matchAll(/`(.)` lists all keys/g)].map(([, key]) => key);
  const listed = listOf(["walk"]).flatMap(({ keys }) => keys.flatMap(labelsOf));
  assert.ok(named.length >= 2);
  assert.deepEqual(
    named.filter((key) => !listed.includes(key)),
    [],
  );
  assert.deepEqual(meant, [labelOf("help")]);
});

test("templates and scripts name keys by what they do", () => {
  const pages = filesIn("templates", ".html").map((file) => ({ file, text: read(file) }));
  const acts = pages.flatMap(({ text }) => [...text.matchAll(/data-key="(.+?)"/g)].map(([, act]) => act));
  assert.ok(new Set(acts).size >= 8);
  acts.forEach(keyOf);
  const scripts = filesIn("static/js", ".js").map((file) => ({ file, text: read(file) }));
  const typed = [...pages, ...scripts].filter(({ text }) =>
    /title(?:=|: )["`][^"`]*\((?:.|Space|Ctrl[^"]*)\)["`]/.test(text),
  );
  assert.deepEqual(
    typed.map(({ file }) => file),
    [],
  );
  const [button] = [...read("templates/parts/desk.html").matchAll(/Walk it\s*<kbd>(.+?)<\/kbd>/g)];
  assert.equal(button[1], labelsOf(keyOf("walk")).join(" "));
});
