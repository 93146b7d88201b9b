/**
 * A page: `choice` of where to go, Learn's map or the walks to compare; `plain` to be read.
 * @typedef {"walk"|"code"|"desk"|"train"|"chapter"|"practise"|"drills"|"reference"|"opening"|"compare"|"choice"
 *   |"plain"} Place
 */
/**
 * Where keys hold; what each does there, by the name of an act; what the list of keys says of them, where a row without
 * words is told of in another's; and how. `inside`: a part of the page hears them while it has the focus, and the page
 * does not. `typing`: heard while somebody types, too. `repeats`: done again and again while it is held down.
 * @typedef {readonly [at: readonly Place[], keys: Readonly<Record<string, string>>, does: string, how?: How]} Row
 * @typedef {"inside"|"typing"|"repeats"|"typing, repeats"} How
 */
/**
 * @template {Place} At @template Row @typedef {Row extends readonly [readonly (infer Place)[], infer Keys, string]
 *   | readonly [readonly (infer Place)[], infer Keys, string, Exclude<How, "inside">]
 *   ? At extends Place ? Keys[keyof Keys] : never : never} ActIn
 */
/** @template {Place} At @typedef {ActIn<At, typeof KEYS[number]>} Act the names of what keys do at a place */

const WALKS = /** @type {const} */ (["walk", "code"]);
const HALLS = /** @type {const} */ ([...WALKS, "train", "chapter", "practise", "drills", "compare", "choice"]);
const LISTS = /** @type {const} */ ([...WALKS, "desk", "train", "compare", "chapter", "opening"]);
const ALL = /** @type {const} */ ([...HALLS, "desk", "reference", "opening", "plain"]);

/**
 * Every key of the pages, in the order of the list of keys. Where two rows have a key in common, the later one is asked
 * first: it may leave the key to the earlier one.
 */
export const KEYS = /** @type {const} */ ([
  [WALKS, { ArrowRight: "next", ArrowLeft: "back" }, "next step, previous step", "repeats"],
  [WALKS, { " ": "play" }, "play and pause"],
  [WALKS, { Home: "first", End: "last" }, "first and last step"],
  [WALKS, { r: "replay" }, "show this step’s motion again"],
  [WALKS, { "1–9": "digit" }, "speed, from reading twice to a film; with “predict” on, the answer"],
  [WALKS, { f: "forward", b: "backward" }, "first forward, first backward step"],
  [WALKS, { w: "writeIt" }, "write each backward line yourself; Escape leaves its field, Enter comes back to it"],
  [WALKS, { e: "exact" }, "PyTorch rounding on and off"],
  [WALKS, { n: "nudge" }, "nudge it: central differences of the tensor shown"],
  [WALKS, { x: "wrong" }, "break it: plant a mistake in this backward line; Escape mends it"],
  [["opening"], { ArrowRight: "next", ArrowLeft: "back" }, "next moment, previous moment", "repeats"],
  [["opening"], { " ": "play" }, "play and pause"],
  [["opening"], { Home: "first", End: "last" }, "first and last moment"],
  [["opening"], { Escape: "skip" }, "skip to the end; there, on to the walk"],
  [["compare"], { ArrowRight: "next", ArrowLeft: "back" }, "both walks: next step, previous step", "repeats"],
  [["compare"], { Home: "first", End: "last" }, "first and last step"],
  [["compare"], { " ": "play" }, "play and pause"],
  [["compare"], { n: "difference" }, "the next step that differs"],
  [["compare"], { f: "forward", b: "backward" }, "first forward, first backward step"],
  [["train"], { " ": "go" }, "start, pause and resume"],
  [["train"], { s: "one" }, "one step; with Shift, ten"],
  [["train"], { "Shift+s": "ten" }, ""],
  [["train"], { w: "walkStep" }, "walk this step: its minibatch, its weights"],
  [["train"], { c: "compare" }, "compare its gradients with autograd’s"],
  [["train"], { r: "restart" }, "restart with the same seed"],
  [["chapter"], { Escape: "reset" }, "every number that was moved goes back", "typing"],
  [["practise"], { PageDown: "next", PageUp: "back" }, "next gradient, previous gradient", "typing, repeats"],
  [["drills"], { PageDown: "later" }, "puts the drill off", "typing"],
  [["reference"], { "/": "find" }, "search"],
  [WALKS, { p: "projector" }, "projector mode; the address holds it, so a link opens it"],
  [["train"], { p: "projector" }, "projector mode: the loss alone, large"],
  [
    ["chapter", "practise", "drills", "compare", "choice"],
    { p: "projector" },
    "projector mode: one thing at a time, large",
  ],
  [[...WALKS, "chapter"], { Escape: "leave" }, ""],
  [["train", "practise", "drills", "compare", "choice"], { Escape: "leave" }, "", "typing"],
  [ALL, { t: "theme" }, "light or dark"],
  [
    WALKS,
    { ArrowUp: "up", ArrowDown: "down" },
    "inside the graph or a listing: the next node or line, Enter goes there; on an underlined word: the next one",
    "inside",
  ],
  [WALKS, { i: "names" }, "inside a listing: what the line’s names are, one after the other", "inside"],
  [
    WALKS,
    { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" },
    "inside a heatmap: another cell; Enter goes into its number",
    "inside",
  ],
  [WALKS, { z: "nearer", "Shift+z": "farther" }, "the graph nearer: a box, its lines, one number; with Shift, away"],
  [WALKS, { l: "look" }, "open the selected number, or the largest one"],
  [
    [...WALKS, "chapter"],
    { h: "hold" },
    "hold it: the number wobbles, and all that depends on it; let go, its gradient comes back",
  ],
  [WALKS, { j: "nextExample", k: "previousExample" }, "another example of the batch in focus", "repeats"],
  [WALKS, { m: "move" }, "move it: drag it, and see what the loss does"],
  [
    WALKS,
    { Shift: "extend" },
    "with a click or an arrow key in a heatmap: choose several cells, to change them at once",
    "inside",
  ],
  [WALKS, { s: "study" }, "this step’s further views, such as lines that collapse; inside them arrow keys lead on"],
  [WALKS, { d: "downhill" }, "step downhill: the loss along the learning rate"],
  [WALKS, { u: "costs" }, "what each line costs: multiply-adds, and bytes kept for the way back"],
  [
    WALKS,
    { ArrowUp: "up", ArrowDown: "down", Enter: "follow" },
    "in an open number: choose a term, Enter follows it",
    "inside",
  ],
  [
    WALKS,
    { 0: "whole", "+": "closer", "-": "further" },
    "inside a large tensor: all of it, closer, further away; arrow keys move",
    "inside",
  ],
  [WALKS, { Backspace: "trace", Escape: "escape" }, "one number back; back to where you began, then close", "repeats"],
  [["walk"], { "Ctrl+z": "undo" }, "undo the last change by hand; with Shift, make it again", "repeats"],
  [["code"], { c: "desk" }, "back to the code"],
  [["desk"], { "Ctrl+Enter": "walk" }, "in the editor: walk it", "typing"],
  [["desk"], { F8: "mistake" }, "in the editor: to the mistake", "typing"],
  [["desk"], { "Ctrl+z": "undo" }, "undo: in the program its typing, elsewhere the whole form", "typing, repeats"],
  [["code"], { "Ctrl+z": "undo" }, "", "repeats"],
  [WALKS, { "Ctrl+Shift+z": "redo", "Ctrl+y": "redo" }, "", "repeats"],
  [["desk"], { "Ctrl+Shift+z": "redo", "Ctrl+y": "redo" }, "", "typing, repeats"],
  [LISTS, { "?": "help" }, "open and close this list"],
  [["chapter"], { ArrowRight: "next", ArrowLeft: "back" }, "on the projector: next part, previous part", "repeats"],
  [["chapter"], { PageDown: "next", PageUp: "back", " ": "next" }, "", "repeats"],
  [["chapter"], { Home: "first", End: "last" }, "on the projector: first and last part"],
  [[...WALKS, "compare"], { PageDown: "next", PageUp: "back" }, "a remote: next step, previous step", "repeats"],
  [
    HALLS,
    { b: "black", ".": "black" },
    "on the projector: a black screen, as a remote asks for it; any key brings the picture back",
  ],
]);

const ROWS = /** @type {readonly Row[]} */ (KEYS);
const LABELS = /** @type {Record<string, string>} */ ({
  ArrowRight: "→",
  ArrowLeft: "←",
  ArrowUp: "↑",
  ArrowDown: "↓",
  " ": "Space",
  "-": "−",
});

/** @param {readonly Place[]} places @returns {{keys: string[], does: string}[]} the list of a page's keys */
export function listOf(places) {
  const told = ROWS.filter(([at, , does]) => does && at.some((place) => places.includes(place)));
  return told.map(([, keys, does]) => ({ keys: Object.keys(keys), does }));
}

/** @param {string} key as the table names it @returns {string[]} what is printed on the keys to be pressed */
export function labelsOf(key) {
  if (key === "1–9") return ["1", "9"];
  if (key === "Ctrl+Enter") return ["Ctrl", "↵"];
  const names = key.split(/(?<=.)\+/);
  return names.map((name, i) => LABELS[name] ?? (i && name.length === 1 ? name.toUpperCase() : name));
}

/** @param {string} act @returns {string} the key that does it first of all, as the table names it */
export function keyOf(act) {
  const found = ROWS.flatMap(([, keys]) => Object.entries(keys)).find(([, does]) => does === act);
  if (!found) throw new Error(`no key does ${act}`);
  return found[0];
}

/** @param {string} act @returns {string} what is printed on the key that does it */
export function labelOf(act) {
  return labelsOf(keyOf(act)).join("+");
}

/** @typedef {{key: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean, shiftKey: boolean}} Press */
/**
 * @param {Place} place @param {Press} press @param {boolean} typing whether it would be written, or choose something
 * @returns {{act: string, repeats: boolean}[]} what a key does, the first to be tried first
 */
export function actsOf(place, press, typing) {
  const rows = ROWS.filter(([at, , , how = ""]) => how !== "inside" && at.includes(place)).reverse();
  return chordsOf(press).flatMap((chord) =>
    rows.flatMap(([, keys, , how = ""]) =>
      chord in keys && (!typing || how.includes("typing"))
        ? [{ act: keys[chord], repeats: how.includes("repeats") }]
        : [],
    ),
  );
}

/** @param {Press} press @returns {string[]} the names that it may have in the table, the nearest first */
function chordsOf({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  if (altKey) return [];
  const ctrl = ctrlKey || metaKey ? "Ctrl+" : "";
  const plain = key.length === 1 ? key.toLowerCase() : key;
  const shifted = shiftKey ? [`${ctrl}Shift+${plain}`] : [];
  return [...shifted, `${ctrl}${plain}`, ...(!ctrl && /^[1-9]$/.test(plain) ? ["1–9"] : [])];
}
