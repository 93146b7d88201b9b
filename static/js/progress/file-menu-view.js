import { mountMenu } from "../editor/menu-view.js";
import { byId, cleanups } from "../shared/dom/elements.js";

/**
 * The menu of what is kept: as a file, from a file, and from the beginning.
 * @param {{save: () => void, read: (text: string) => void, reset: () => void}} hears
 * @param {Record<string, () => void>} others whatever else the menu of a page offers
 */
export function mountFileMenu({ save, read, reset }, others = {}) {
  const undo = cleanups();
  const file = /** @type {HTMLInputElement} */ (byId("progress-file"));
  const acts = /** @type {Record<string, () => void>} */ ({ ...others, save, read: () => file.click(), reset });
  const menu = mountMenu(byId("progress-menu"), ({ dataset }) => acts[dataset.do ?? ""]());
  undo.add(menu.unmount);
  undo.on(file, "change", async () => {
    const chosen = file.files?.[0];
    file.value = "";
    if (chosen) read(await chosen.text());
  });
  return { unmount: undo.run };
}
