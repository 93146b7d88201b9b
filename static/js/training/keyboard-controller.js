import { byId, cleanups } from "../shared/dom/elements.js";

/** What has the keyboard to itself. */
const TAKEN = "input:not([type=radio]), select, textarea, [contenteditable]";

/** @param {Record<string, (shift: boolean) => void>} keys by what is pressed @returns {() => void} unmount */
export function mountKeys(keys) {
  const undo = cleanups();
  const dialog = /** @type {HTMLDialogElement} */ (byId("keys-dialog"));
  undo.on(byId("keys"), "click", () => dialog.showModal());
  undo.on(dialog, "click", (event) => {
    if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
  });
  undo.on(document, "keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (event.target.matches(TAKEN) || event.repeat) return;
    // a button that has the focus is pressed by the space bar, one of several choices taken
    if (event.key === " " && event.target.matches("button, a, summary, input")) return;
    if (event.key === "?") return dialog.showModal();
    const act = keys[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act(event.shiftKey);
  });
  return undo.run;
}
