import { isPacked, pack } from "../editor/link.js";
import { loadStarts } from "../editor/starts-loader.js";
import { byId, cleanups, el } from "../shared/dom/elements.js";
import { recall } from "../shared/dom/remembered.js";
import { addressOf } from "./address.js";
/** @typedef {import("./address.js").Subject} Subject */

/**
 * What can be practised: the lessons, the starting points, the program in Your code; or the one of a link.
 * @param {Subject} subject @returns {() => void} unmount
 */
export function mountSubject(subject) {
  const undo = cleanups();
  const select = /** @type {HTMLSelectElement} */ (byId("subject"));
  const own = ownHash();
  if (own) select.append(group("Your code", [option("own", "your program")]));
  if (subject.hash && subject.hash !== own) select.prepend(option("linked", "the program of the link"));
  select.value = subject.hash ? (subject.hash === own ? "own" : "linked") : `lesson ${subject.lesson}`;

  async function addStarts() {
    const starts = await loadStarts().catch(() => []);
    if (!starts.length) return;
    const made = await Promise.all(starts.map(async ({ title, draft }) => ({ title, hash: await pack(draft) })));
    select.append(
      group(
        "Starting points",
        made.map(({ title, hash }) => option(hash, title)),
      ),
    );
    const linked = made.find(({ hash }) => hash === subject.hash);
    if (!linked) return;
    select.querySelector("[value=linked]")?.remove();
    select.value = linked.hash;
  }

  function choose() {
    const { value } = select;
    const [hash, lesson] = [isPacked(value) ? value : value === "own" ? own : "", value.replace(/^lesson /, "")];
    if (value === "linked") return;
    location.assign(addressOf({ lesson, seed: null, hash, at: null }));
  }
  undo.on(select, "change", choose);
  addStarts();
  return undo.run;
}

/** @returns {string} the program in Your code, packed; empty where there is none */
function ownHash() {
  try {
    const { hash } = JSON.parse(recall("code") ?? "null");
    return typeof hash === "string" && isPacked(hash) ? hash : "";
  } catch {
    return "";
  }
}

/** @param {string} value @param {string} words */
function option(value, words) {
  return el("option", { value }, words);
}

/** @param {string} label @param {HTMLElement[]} options */
function group(label, options) {
  return el("optgroup", { label }, ...options);
}
