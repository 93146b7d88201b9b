import { runsOf } from "../model/prose.js";
import { el } from "./dom.js";

const TAGS = /** @type {const} */ ({ code: "code", strong: "strong" });

/** @param {string} address @returns {HTMLElement} in a tab of its own: what is being written here stays as it is, its undo too */
function link(address) {
  return el("a", { href: address, target: "_blank", rel: "noopener" }, address);
}

/** @param {string} text with `code` and **bold** @returns {Node[]} the same as nodes; never parsed as HTML */
export function prose(text) {
  return runsOf(text).map((run) => {
    if (run.mark === "plain") return document.createTextNode(run.text);
    return run.mark === "page" ? link(run.text) : el(TAGS[run.mark], {}, run.text);
  });
}

/** @param {string} source a MathML string of the server @returns {Node|null} imported as nodes, null if it is not MathML */
export function mathNode(source) {
  if (!source) return null;
  const named = source.includes("xmlns=") ? source : source.replace("<math", '<math xmlns="http://www.w3.org/1998/Math/MathML"');
  const parsed = new DOMParser().parseFromString(named, "application/xml");
  const root = parsed.documentElement;
  return root.localName === "math" && !parsed.querySelector("parsererror") ? document.importNode(root, true) : null;
}
