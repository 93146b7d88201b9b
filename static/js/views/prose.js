import { runsOf } from "../model/prose.js";
import { el } from "./dom.js";

const TAGS = /** @type {const} */ ({ code: "code", strong: "strong" });

/** @param {string} text with `code` and **bold** @returns {Node[]} the same as nodes; never parsed as HTML */
export function prose(text) {
  return runsOf(text).map((run) =>
    run.mark === "plain" ? document.createTextNode(run.text) : el(TAGS[run.mark], {}, run.text),
  );
}

/** @param {string} source a MathML string of the server @returns {Node|null} imported as nodes, null if it is not MathML */
export function mathNode(source) {
  if (!source) return null;
  const named = source.includes("xmlns=") ? source : source.replace("<math", '<math xmlns="http://www.w3.org/1998/Math/MathML"');
  const parsed = new DOMParser().parseFromString(named, "application/xml");
  const root = parsed.documentElement;
  return root.localName === "math" && !parsed.querySelector("parsererror") ? document.importNode(root, true) : null;
}
