import { cleanups } from "./elements.js";

/**
 * One tab stop for a whole list; ↑ and ↓ move inside it.
 * @param {HTMLElement} root @param {string} selector
 * @returns {{setCurrent: (item: HTMLElement|null) => void, unmount: () => void}}
 */
export function roving(root, selector) {
  const undo = cleanups();
  /** @type {HTMLElement|null} */
  let stop = null;
  /** @param {HTMLElement|null} item */
  function setStop(item) {
    stop?.setAttribute("tabindex", "-1");
    stop = item;
    stop?.setAttribute("tabindex", "0");
  }
  undo.on(root, "focusin", (event) => setStop(event.target.closest(selector) ?? stop));
  undo.on(root, "keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const items = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);
    const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const next = items[at + (event.key === "ArrowDown" ? 1 : -1)];
    if (at < 0 || !next) return;
    event.preventDefault();
    next.focus();
  });
  setStop(root.querySelector(selector));
  return {
    setCurrent(item) {
      if (item && !root.contains(document.activeElement)) setStop(item);
    },
    unmount: undo.run,
  };
}
