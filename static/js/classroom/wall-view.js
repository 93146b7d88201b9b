import { counted } from "../shared/plural.js";
import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("./types.js").Walled} Walled */

/** @param {string} text @param {[number, number]|null} where its wrong characters, counted from 1 @returns {Node} */
export function markedText(text, where) {
  if (!where) return el("code", {}, text);
  const [from, to] = [where[0] - 1, where[1] - 1];
  return el("code", {}, text.slice(0, from), el("mark", {}, text.slice(from, to)), text.slice(to));
}

/** @param {Walled[]} wall @returns {HTMLElement|null} */
export function wallView(wall) {
  if (!wall.length) return null;
  return el(
    "ul",
    { class: "wall" },
    ...wall.map((one) =>
      el(
        "li",
        { class: one.correct ? "right" : "" },
        markedText(one.text, one.where),
        el("span", { class: "wall-by" }, counted(one.students, "student")),
        el("p", {}, ...(one.correct ? ["Right."] : prose(one.message))),
      ),
    ),
  );
}
