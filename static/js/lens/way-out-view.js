import { cleanups } from "../shared/dom/elements.js";

/** Where the focus came from into a number that is open: there it returns. @param {HTMLElement} root of the number */
export function mountWayOut(root) {
  const undo = cleanups();
  /** @type {HTMLElement|null} */
  let origin = null;
  undo.on(root, "focusin", ({ relatedTarget }) => {
    if (relatedTarget instanceof HTMLElement && !root.contains(relatedTarget)) origin = relatedTarget;
  });

  return {
    /** To the same picture, where it was drawn anew; else to a chart, or to the step. */
    leave() {
      const key = origin?.dataset.map;
      const same = key ? document.querySelector(`[data-map="${CSS.escape(key)}"]`) : null;
      const charts = document.querySelectorAll('.plot[data-which="manual"], .plot[data-which="value"]');
      const place = [origin, same, ...charts, document.getElementById("step")].find(
        (element) => element instanceof HTMLElement && element.isConnected && element.checkVisibility(),
      );
      /** @type {HTMLElement|undefined} */ (place)?.focus({ preventScroll: true });
    },
    unmount: undo.run,
  };
}
