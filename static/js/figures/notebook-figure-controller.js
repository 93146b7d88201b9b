import { cleanups, el } from "../shared/dom/elements.js";
import { saveFile } from "../shared/save-file-controller.js";
import { filledIn } from "./notebook.js";
/** @typedef {import("./drawing.js").Context} Context */
/** @typedef {import("./drawing.js").Figure} Figure */

/** The engine as a file, with the lines that its reader has written. @param {Context} context @returns {Figure} */
export function drawNotebook({ body, block, chapter, say }) {
  const button = el("button", { type: "button", class: "button" }, "Save the notebook");
  const undo = cleanups();
  undo.on(button, "click", () => {
    const name = `${chapter}.ipynb`;
    saveFile(filledIn(block.props.text, written()), name, "application/x-ipynb+json");
    say(`${name} is saved.`);
  });
  body.replaceChildren(el("p", {}, button));
  return { update: () => {}, redraw: () => {}, unmount: undo.run };
}

/** @returns {Record<string, string>} what was right in the chapter's blanks, by the piece of the engine */
function written() {
  const done = document.querySelectorAll(".block[data-kind=fill][data-outcome=right]");
  const pairs = [...done].map((section) => {
    const field = section.querySelector(".quiz-answer");
    return [section.id.replace("fill-", ""), field instanceof HTMLInputElement ? field.value.trim() : ""];
  });
  return Object.fromEntries(pairs.filter(([, line]) => line));
}
