import { mountMenu } from "../editor/menu-view.js";
import { EMPTY } from "../practice/boxes.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { keepBoxes, restoredBoxes, saveProgress } from "../exercise/progress-storage-controller.js";
import { begun, drillsIn } from "../exercise/progress.js";

/**
 * Export, import and a new beginning of where the drills lie.
 * @param {ReturnType<typeof import("../shared/notice-view.js").mountNotice>} notice
 * @param {() => void} changed
 */
export function mountBoxesMenu(notice, changed) {
  const undo = cleanups();
  const file = /** @type {HTMLInputElement} */ (byId("progress-file"));

  /** @param {import("../practice/boxes.js").Boxes} boxes @param {string} words */
  function replace(boxes, words) {
    const before = restoredBoxes();
    keepBoxes(boxes);
    changed();
    const act = () => {
      keepBoxes(before);
      changed();
      notice.hide();
    };
    notice.show(words, { label: "Undo", act }, 8);
  }

  async function read() {
    const chosen = file.files?.[0];
    file.value = "";
    if (!chosen) return;
    const found = drillsIn(await chosen.text());
    if (!found) return notice.show("This file holds no drills of gradwalk.", null, 6);
    replace(found, "The drills of the file are here.");
  }

  const acts = /** @type {Record<string, () => void>} */ ({
    save: () => notice.show(`${saveProgress(begun("drills", "drills"))} is in your downloads.`, null, 4),
    read: () => file.click(),
    reset: () => replace(EMPTY, "All drills are new again."),
  });
  const menu = mountMenu(byId("progress-menu"), ({ dataset }) => acts[dataset.do ?? ""]());
  undo.add(menu.unmount);
  undo.on(file, "change", read);
  return { unmount: undo.run };
}
