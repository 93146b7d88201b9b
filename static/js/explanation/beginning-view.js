import { byId, el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */

const COLOURS =
  "Blue is negative, red positive; ± is the largest size. " +
  "Point at a number to read it, click to open it, hold it to nudge it.";

/** @returns {HTMLElement[]} leads to the field of a word, where the lesson takes one */
function wordButton() {
  if (!document.querySelector("#seed-form[data-words]")) return [];
  const button = el("button", { type: "button", class: "link" }, "Write a name of your own.");
  button.addEventListener("click", () => {
    const field = /** @type {HTMLInputElement} */ (byId("seed"));
    field.focus();
    field.select();
  });
  return [button];
}

/** What the header offers, folded: its words alone don't say it. @returns {HTMLElement} */
function headerWords() {
  const above = { class: "above", "data-computes": true };
  // who comes from a run has been here
  if (document.querySelector(".trained-step")) return el("p", above, ...wordButton());
  const { content } = /** @type {HTMLTemplateElement} */ (byId("header-words"));
  return el("div", above, ...wordButton(), content.cloneNode(true));
}

/** What a step is, and why it is there three times, in the colour that marks it. @param {Frame} frame */
function stepWords({ node }) {
  return (
    `Graph, code and picture show the same step, here \`${node.variable}\`, in **violet**: ` +
    "where it belongs, how it is computed, which numbers come out."
  );
}

/**
 * What is computed, from what, and what will be asked of it, above the first step's own sentences.
 * @param {Frame} frame @returns {HTMLElement[]}
 */
export function beginning(frame) {
  const { walk, step, inspecting } = frame;
  if (step.index !== 0 || inspecting) return [];
  const own = walk.document.beginning;
  const said = [...own.slice(0, 1), stepWords(frame), COLOURS, ...own.slice(1)];
  const paragraphs = said.flatMap((text) => [el("p", {}, ...prose(text)), " "]);
  return [el("section", { class: "beginning", "aria-label": "What this is" }, ...paragraphs, headerWords())];
}
