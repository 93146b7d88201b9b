import { cleanups } from "../shared/dom/elements.js";

/**
 * A button that unfolds a few more.
 * @param {HTMLElement} root with one toggle and one list @param {(button: HTMLElement) => void} chosen
 */
export function mountMenu(root, chosen) {
  const undo = cleanups();
  const toggle = /** @type {HTMLElement} */ (root.querySelector("[aria-expanded]"));
  const list = /** @type {HTMLElement} */ (root.querySelector(".menu-list"));
  const items = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("button")]);

  /** @param {boolean} open */
  function set(open) {
    list.hidden = !open;
    toggle.setAttribute("aria-expanded", String(open));
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (event.key === "Escape" && !list.hidden) {
      set(false);
      toggle.focus();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      set(true);
      const next = event.key === "ArrowDown" ? at + 1 : at < 0 ? items.length - 1 : at - 1;
      items[(next + items.length) % items.length].focus();
    } else return;
    event.preventDefault();
  }
  undo.on(toggle, "click", () => set(list.hidden === true));
  undo.on(root, "keydown", press);
  undo.on(list, "click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    set(false);
    toggle.focus();
    chosen(button);
  });
  undo.on(root, "focusout", (event) => {
    if (!root.contains(event.relatedTarget)) set(false);
  });
  undo.on(document, "pointerdown", (event) => {
    if (!root.contains(event.target)) set(false);
  });
  return { unmount: undo.run };
}
