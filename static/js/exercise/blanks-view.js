import { stands } from "../practice/attempts.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { shownTheme } from "../shell/theme-view.js";
import { mountBlank } from "./blank-view.js";
import { attemptAt, countText, keyOf } from "../progress/progress.js";
import { usesOf } from "./uses.js";
/** @typedef {import("./tasks.js").Task} Task */
/** @typedef {import("./exercise-controller.js").State} State */
/** @typedef {import("../walk/walk.js").Walk} Walk */

/**
 * The blanks of an exercise, one for each gradient, and how many of them are filled.
 * @param {{walk: Walk, tasks: Task[]}} program
 * @param {{check: (task: Task) => void, type: (task: Task, text: string) => void,
 *   link: (task: Task, done: boolean) => string|null}} acts `link` leads to a task's step in the walk
 */
export function mountBlanks({ walk, tasks }, { check, type, link }) {
  const undo = cleanups();
  const blanks = new Map(
    tasks.map((task) => {
      const acts = { check: () => check(task), typed: (/** @type {string} */ text) => type(task, text) };
      return [task, undo.part(mountBlank(task, lookOf(walk, task), acts))];
    }),
  );
  const at = (/** @type {Task} */ task) => /** @type {ReturnType<typeof mountBlank>} */ (blanks.get(task));
  const [open, closed] = [false, true].map((is) => tasks.filter((task) => task.closed === is));
  byId("blanks").replaceChildren(...open.map((task) => at(task).element));
  byId("closed-forms").replaceChildren(...closed.map((task) => at(task).element));
  byId("closed").hidden = !closed.length;
  byId("none").hidden = tasks.length > 0;
  return {
    at,
    /** @param {EventTarget|null} target @returns {Task|null} the task whose blank it is in */
    taskAt(target) {
      const element = /** @type {HTMLElement|null} */ (target)?.closest?.(".blank");
      return tasks.find((task) => at(task).element === element) ?? null;
    },
    /** @param {State} state */
    update({ progress, current, busy, problem, replies }) {
      for (const [task, blank] of blanks) {
        const attempt = attemptAt(progress, task);
        blank.update({
          attempt,
          reply: replies.get(keyOf(task)) ?? null,
          busy: busy === task,
          problem: problem?.task === task ? problem.problem : null,
          current: task === current,
          link: link(task, stands(attempt)),
        });
      }
      byId("count").textContent = countText(progress, tasks);
      const bar = /** @type {HTMLProgressElement} */ (byId("bar"));
      bar.max = Math.max(1, open.length);
      bar.value = open.filter((task) => attemptAt(progress, task).outcome).length;
      /** @type {HTMLInputElement} */ (byId("cascade")).checked = progress.cascade;
    },
    unmount: undo.run,
  };
}

/** @param {Walk} walk @param {Task} task */
function lookOf(walk, task) {
  const { variable, dims } = walk.node(task.target);
  const uses = usesOf(walk, task.target).map(({ source }) => source);
  return { uses, about: { name: variable, dims, labels: walk.document.labels }, theme: shownTheme };
}
