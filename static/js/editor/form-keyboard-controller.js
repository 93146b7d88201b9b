/** @typedef {{at: () => boolean, walk: () => void, back: () => void, on: () => void, mistake: () => void}} Acts */

/**
 * The keyboard of the form. Inside the program undo is the browser's own; everywhere else it is the form's.
 * @param {Acts} acts @returns {() => void} unmount
 */
export function mountFormKeyboard(acts) {
  /** @param {KeyboardEvent} event @returns {(() => void)|null} */
  function actFor({ key, ctrlKey, metaKey, shiftKey, altKey, target }) {
    if (key === "F8") return acts.mistake;
    if (!(ctrlKey || metaKey) || altKey) return null;
    if (key === "Enter") return acts.walk;
    if (/** @type {HTMLElement} */ (target).id === "source") return null;
    const letter = key.toLowerCase();
    if (letter === "z") return shiftKey ? acts.on : acts.back;
    return letter === "y" ? acts.on : null;
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.defaultPrevented || event.isComposing || !acts.at() || document.querySelector("dialog[open]")) return;
    const act = actFor(event);
    if (!act) return;
    event.preventDefault();
    act();
  }
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}
