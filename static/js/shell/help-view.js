import { cleanups, el, icon } from "../shared/dom/elements.js";
import { keyOf, labelOf, labelsOf, listOf } from "./keys.js";

/**
 * The list of keys, drawn from their table.
 * @param {readonly import("./keys.js").Place[]} places whose keys are listed @param {HTMLElement} button that opens it
 */
export function mountHelp(places, button) {
  const undo = cleanups();
  const close = el("button", { type: "button", class: "quiet", "aria-label": "Close" }, icon("close"));
  const dialog = el(
    "dialog",
    { class: "sheet", id: "keys-dialog", "aria-labelledby": "keys-title" },
    el("div", { class: "sheet-head" }, el("h2", { id: "keys-title" }, "Keys"), close),
    el("dl", { class: "keys" }, ...listOf(places).map(rowOf)),
  );
  const open = () => dialog.showModal();
  document.body.append(dialog);
  undo.add(() => dialog.remove());
  undo.on(button, "click", open);
  undo.on(close, "click", () => dialog.close());
  undo.on(dialog, "click", ({ target }) => target === dialog && dialog.close());
  undo.on(dialog, "keydown", (event) => {
    if (event.key !== keyOf("help")) return;
    event.preventDefault(); // else the page opens it again
    dialog.close();
  });
  return { open, unmount: undo.run };
}

/** @param {{keys: string[], does: string}} row */
function rowOf({ keys, does }) {
  const labels = keys.flatMap(labelsOf).map((label) => el("kbd", {}, label));
  const between = keys.some((key) => key.includes("–")) ? " – " : " ";
  return el(
    "div",
    {},
    el("dt", {}, ...labels.flatMap((label, i) => (i ? [between, label] : [label]))),
    el("dd", {}, does),
  );
}

/** A button says which key does the same. @param {ParentNode} root */
export function nameKeys(root) {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-key]"))) {
    button.title += ` (${labelOf(button.dataset.key ?? "")})`;
    button.removeAttribute("data-key"); // it is said once
  }
}
