import { el } from "./dom.js";
import { prose } from "./prose.js";
/** @typedef {import("../model/types.js").Problem} Problem */

/**
 * An error as something to act on: what happened, where, what to do.
 * @param {HTMLElement} root @param {Problem} problem @param {{retry: () => void, reset: {label: string, act: () => void}|null}} acts
 */
export function showProblem(root, problem, acts) {
  const retry = el("button", { type: "button", class: "button strong" }, "Try again");
  retry.addEventListener("click", acts.retry);
  const reset = acts.reset ? el("button", { type: "button", class: "button" }, acts.reset.label) : null;
  if (reset && acts.reset) reset.addEventListener("click", acts.reset.act);
  root.replaceChildren(
    el("h1", {}, ...prose(problem.message)),
    ...(problem.hint ? [el("p", {}, ...prose(problem.hint))] : []),
    ...(problem.where?.line ? [whereBox(problem.where)] : []),
    el("p", { class: "actions" }, retry, reset),
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
