import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("../walk/types.js").Problem} Problem */

/**
 * An error as something to act on: what happened, where, what to do.
 * @param {HTMLElement} root @param {Problem} problem
 * @param {{label: string, act: () => void}[]} acts what can be done, most promising first
 */
export function showProblem(root, problem, acts) {
  const buttons = acts.map(({ label, act }, i) => {
    const button = el("button", { type: "button", class: i ? "button" : "button strong" }, label);
    button.addEventListener("click", act);
    return button;
  });
  root.replaceChildren(
    el("h1", {}, ...prose(problem.message)),
    ...(problem.hint ? [el("p", {}, ...prose(problem.hint))] : []),
    ...(problem.where?.line ? [whereBox(problem.where)] : []),
    el("p", { class: "actions" }, ...buttons),
    el("p", { class: "code" }, problem.code),
  );
  root.hidden = false;
  root.setAttribute("role", "alert");
}

/** @param {NonNullable<Problem["where"]>} where */
function whereBox(where) {
  const column = where.column ? `, column ${where.column}` : "";
  return el("p", { class: "where" }, `line ${where.line}${column}${where.text ? `\n${where.text}` : ""}`);
}
