import { byId, cleanups } from "../shared/dom/elements.js";
import { besideAddress } from "../walk/side-by-side.js";

/**
 * The link that puts this walk beside another one: where numbers were changed or a mistake is planted, beside itself
 * without them.
 * @param {{flush: () => void}} address of what is shown
 */
export function mountCompareLink(address) {
  const undo = cleanups();
  const link = /** @type {HTMLAnchorElement} */ (byId("to-compare"));

  function point() {
    address.flush();
    link.href = besideAddress(location.pathname + location.search + location.hash);
  }
  for (const type of ["pointerdown", "focus", "click"]) undo.on(link, type, point);
  return { unmount: undo.run };
}
