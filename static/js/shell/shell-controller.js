import { byId, cleanups } from "../shared/dom/elements.js";
import { mountHelp, nameKeys } from "./help-view.js";
import { mountKeyboard } from "./keyboard-controller.js";
import { mountNotice } from "./notice-controller.js";
import { mountProjector } from "./projector-controller.js";
import { toggleTheme } from "./theme-view.js";
/** @typedef {import("./keys.js").Place} Place */
/** @typedef {ReturnType<typeof mountShell>} Shell */
/** @typedef {"theme"|"help"|"projector"|"leave"|"black"} Common what keys do by the shell itself */
/**
 * @template {Place} At @typedef {Record<Exclude<import("./keys.js").Act<At>, Common>,
 *   (event: KeyboardEvent) => unknown>} OwnActs
 */

/**
 * What every page has around what it shows: light or dark, projector mode and the list of keys where there are
 * buttons for them, a notice, and a keyboard.
 * @param {{lists?: readonly Place[], projected?: (on: boolean) => void}} [page] `lists`: whose keys the list tells;
 *   `projected` hears of the projector
 */
export function mountShell({ lists = [], projected = () => {} } = {}) {
  const undo = cleanups();
  nameKeys(document);
  undo.on(byId("theme"), "click", toggleTheme);
  const notice = undo.part(mountNotice());
  const projector = document.getElementById("projector") && undo.part(mountProjector(projected));
  const help = lists.length ? undo.part(mountHelp(lists, byId("keys"))) : null;
  const common = /** @type {Record<Common, () => unknown>} */ ({
    theme: toggleTheme,
    help: help?.open,
    projector: projector?.toggle,
    leave: projector?.leave,
    black: projector?.black,
  });
  return {
    notice,
    /** Of a page that has it. */
    get projector() {
      if (!projector) throw new Error("the template has no #projector");
      return projector;
    },
    /**
     * The keys of a page; what they do besides is the shell's.
     * @template {Place} At @param {At} place @param {OwnActs<At>} acts @returns {import("./types.js").Mounted}
     */
    listen: (place, acts) => mountKeyboard(place, /** @type {any} */ ({ ...common, ...acts })),
    unmount: undo.run,
  };
}

/** A page that is only read, on a projector, too, where it has the button. @returns {import("./types.js").Mounted} */
export function mountPlainPage() {
  const undo = cleanups();
  const shell = undo.part(mountShell());
  undo.part(shell.listen(document.getElementById("projector") ? "choice" : "plain", {}));
  return { unmount: undo.run };
}
