import { isPacked } from "../editor/link.js";
import { byId, cleanups, el } from "../shared/dom/elements.js";
import { recall } from "../shared/dom/remembered.js";
/** @typedef {import("./request-loader.js").Subject} Subject */

/**
 * What can be practised or trained: what can be walked, the program in Your code, or the one of a link.
 * @param {Subject} subject @param {(chosen: Subject) => string} address of the page with another one
 *
 */
export function mountSubject(subject, address) {
  const undo = cleanups();
  const select = /** @type {HTMLSelectElement} */ (byId("subject"));
  const own = ownHash();
  if (own) select.append(group("Your code", [option("own", "your program")]));
  if (subject.hash && subject.hash !== own) select.prepend(option("linked", "the program of the link"));
  const shown = subject.hash ? (subject.hash === own ? "own" : "linked") : `lesson ${subject.lesson}`;
  select.value = shown;
  // a starting point that a chapter has taken in is no longer listed, but its address stays
  if (select.value !== shown) select.prepend(option(shown, subject.lesson.replaceAll("-", " ")));
  select.value = shown;

  function choose() {
    const { value } = select;
    const [hash, lesson] = [value === "own" ? own : "", value.replace(/^lesson /, "")];
    if (value === "linked") return;
    location.assign(address({ lesson, seed: null, hash }));
  }
  undo.on(select, "change", choose);
  return { unmount: undo.run };
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
