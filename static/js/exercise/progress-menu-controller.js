import { downloadTold } from "../page/download-controller.js";
import { mountFileMenu } from "../progress/file-menu-view.js";
import { keepBoxes, restoredBoxes, saveProgress } from "../progress/progress-storage-controller.js";
import { begun, drillsIn, progressIn } from "../progress/progress.js";

/**
 * Export, import and a new beginning of what was written; the exercise itself as a notebook for a course.
 * @param {ReturnType<typeof import("./exercise-controller.js").makeExercise>} exercise
 * @param {import("../shell/notice-controller.js").Notice} notice @param {string} walk its request as JSON
 */
export function mountProgressMenu(exercise, notice, walk) {
  /** @param {import("../progress/progress.js").Progress} before @param {string} words @param {() => void} [undone] */
  function replaced(before, words, undone) {
    const act = () => {
      exercise.replace(before);
      undone?.();
      notice.hide();
    };
    notice.show(words, { label: "Undo", act }, 8);
  }

  /** @param {string} text of a file */
  function read(text) {
    const { progress } = exercise.state;
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

  const save = () => notice.show(`${saveProgress(exercise.state.progress)} is in your downloads.`, null, 4);
  const courses = ["nbgrader", "otter"].map((form) => [form, () => downloadTold(walk, form, notice)]);
  return mountFileMenu({ save, read, reset }, Object.fromEntries(courses));
}
