import { byId, el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */

const COLOURS =
  "Blue is negative, red is positive, and ± is how large a number gets. " +
  "Point at any number to read it; click to see what it is made of.";

/** Where the lesson takes a word: leads to its field. @returns {HTMLElement[]} */
function wordButton() {
  if (!document.querySelector("#seed-form[data-words]")) return [];
  const button = el("button", { type: "button", class: "link" }, "Write a name of your own.");
  button.addEventListener("click", () => {
    const field = /** @type {HTMLInputElement} */ (byId("seed"));
    field.focus();
    field.select();
  });
  return [el("p", { "data-computes": true }, button)];
}

/**
 * What is computed, from what, and what will be asked of it, above the first step's own sentences.
 * @param {Frame} frame @returns {HTMLElement[]}
 */
export function beginning({ walk, step, inspecting }) {
  if (step.index !== 0 || inspecting) return [];
  const said = [...walk.document.beginning, COLOURS].flatMap((text) => [el("p", {}, ...prose(text)), " "]);
  return [el("section", { class: "beginning", "aria-label": "What this is" }, ...said, ...wordButton())];
}
