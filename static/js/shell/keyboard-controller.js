import { cleanups } from "../shared/dom/elements.js";
import { actsOf } from "./keys.js";
import { isTyping } from "./typing.js";
/** @typedef {import("./keys.js").Place} Place */
/** @template {Place} At @typedef {import("./keys.js").Act<At>} Act */
/**
 * @template {Place} At @typedef {Record<Act<At>, (event: KeyboardEvent) => unknown>} Acts what each key of the table
 *   does; an act that returns false leaves the key to whoever else wants it
 */

/** What Space presses. */
const PRESSED = "button, a, summary";

/**
 * The keyboard of a page, or of a mode of it: the table says which key does what.
 * @template {Place} At @param {At} place @param {Acts<At>} acts @returns {import("./types.js").Mounted}
 */
export function mountKeyboard(place, acts) {
  const undo = cleanups();
  const does = /** @type {Record<string, (event: KeyboardEvent) => unknown>} */ (acts);
  const space = undo.part(mountSpace());

  undo.on(document, "keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
    const taken = isTyping(event.target, event.key) || space.presses(event);
    for (const { act, repeats } of actsOf(place, event, taken)) {
      if (event.repeat && !repeats) return event.preventDefault();
      if (does[act](event) !== false) return event.preventDefault();
    }
  });
  return { unmount: undo.run };
}

/** Space presses the button that has the focus, unless it got there by the pointer: then the page is meant. */
function mountSpace() {
  const undo = cleanups();
  /** @type {Element|null} a button that was pressed with the pointer */
  let pointed = null;

  undo.on(document, "pointerdown", ({ target }) => (pointed = target.closest(PRESSED)));
  undo.on(document, "focusin", ({ target }) => {
    if (target !== pointed) pointed = null;
  });
  undo.on(document, "keyup", (event) => {
    // some browsers press a button when the key comes up
    if (event.key === " " && event.target === pointed) event.preventDefault();
  });
  return {
    /** @param {KeyboardEvent} event */
    presses: ({ key, target }) => key === " " && target !== pointed && /** @type {Element} */ (target).matches(PRESSED),
    unmount: undo.run,
  };
}
