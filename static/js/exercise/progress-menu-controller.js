import { mountMenu } from "../editor/menu-view.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { keepBoxes, restoredBoxes, saveProgress } from "./progress-storage-controller.js";
import { begun, drillsIn, progressIn } from "./progress.js";

/**
 * Export, import and a new beginning of what was written.
 * @param {ReturnType<typeof import("./exercise-controller.js").makeExercise>} exercise
 * @param {ReturnType<typeof import("../shared/notice-view.js").mountNotice>} notice
 */
export function mountProgressMenu(exercise, notice) {
  const undo = cleanups();
  const file = /** @type {HTMLInputElement} */ (byId("progress-file"));
  /** @param {import("./progress.js").Progress} before @param {string} words @param {() => void} [undone] */
  function replaced(before, words, undone) {
    const act = () => {
      exercise.replace(before);
      undone?.();
      notice.hide();
    };
    notice.show(words, { label: "Undo", act }, 8);
  }

  async function read() {
    const chosen = file.files?.[0];
    file.value = "";
    if (!chosen) return;
    const { progress } = exercise.state;
    const text = await chosen.text();
    const [found, drills] = [progressIn(text), drillsIn(text)];
    if (found?.id === "drills" && drills) return take(drills);
    if (!found) return notice.show("This file holds no answers of a gradwalk exercise.", null, 6);
    if (found.id !== progress.id)
      return notice.show(`This file belongs to another exercise, “${found.title}”. Open that one first.`, null, 8);
    exercise.replace({ ...found, title: progress.title });
    const before = restoredBoxes();
    if (drills) keepBoxes(drills);
    replaced(progress, "The answers of the file are here.", () => keepBoxes(before));
  }

  /** @param {import("../practice/boxes.js").Boxes} drills of a file that holds nothing else */
  function take(drills) {
    const before = restoredBoxes();
    keepBoxes(drills);
    replaced(exercise.state.progress, "The drills of the file are here.", () => keepBoxes(before));
  }

  function reset() {
    const { progress } = exercise.state;
    exercise.replace(begun(progress.id, progress.title));
    replaced(progress, "All blanks are empty again.");
  }

  const acts = /** @type {Record<string, () => void>} */ ({
    save: () => notice.show(`${saveProgress(exercise.state.progress)} is in your downloads.`, null, 4),
    read: () => file.click(),
    reset,
  });
  const menu = mountMenu(byId("progress-menu"), ({ dataset }) => acts[dataset.do ?? ""]());
  undo.add(menu.unmount);
  undo.on(file, "change", read);
  return { unmount: undo.run };
}
