import { mountFileMenu } from "../progress/file-menu-view.js";
import { EMPTY } from "../practice/boxes.js";
import { keepBoxes, restoredBoxes, saveProgress } from "../progress/progress-storage-controller.js";
import { begun, drillsIn } from "../progress/progress.js";

/**
 * Export, import and a new beginning of where the drills lie.
 * @param {import("../shell/notice-controller.js").Notice} notice
 * @param {() => void} changed
 */
export function mountBoxesMenu(notice, changed) {
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

  /** @param {string} text of a file */
  function read(text) {
    const found = drillsIn(text);
    if (!found) return notice.show("This file holds no drills of gradwalk.", null, 6);
    replace(found, "The drills of the file are here.");
  }

  return mountFileMenu({
    save: () => notice.show(`${saveProgress(begun("drills", "drills"))} is in your downloads.`, null, 4),
    read,
    reset: () => replace(EMPTY, "All drills are new again."),
  });
}
