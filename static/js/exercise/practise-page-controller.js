import { mountWayBack } from "../page/way-back-view.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { mountCopyLink } from "../shell/copy-link-controller.js";
import { mountLoading } from "../shell/loading-controller.js";
import { mountShell } from "../shell/shell-controller.js";
import { onTheme } from "../shell/theme-view.js";
import { addressOf, stepAddress, subjectOf } from "./address.js";
import { mountBlanks } from "./blanks-view.js";
import { mountDownhill } from "./downhill-controller.js";
import { makeExercise } from "./exercise-controller.js";
import { mountProgram } from "./program-view.js";
import { mountPoster } from "../poster/poster-controller.js";
import { mountProgressMenu } from "./progress-menu-controller.js";
import { keepProgress, restoredProgress } from "../progress/progress-storage-controller.js";
import { attemptAt, keyOf, nextTask, summaryOf } from "../progress/progress.js";
import { loadProgram } from "./program-loader.js";
import { tellStanding } from "../shared/standing-controller.js";
import { mountTyping } from "./typing-controller.js";
import { mountSubject } from "../subject/subject-controller.js";
import { mountSummary } from "./summary-view.js";
/** @typedef {import("./tasks.js").Task} Task */
/** @typedef {import("./address.js").Subject} Subject */
/** @typedef {import("./program-loader.js").Program} Program */
/** @typedef {ReturnType<typeof makeExercise>} Exercise */
/** @typedef {ReturnType<typeof mountBlanks>} Blanks */

/** The Practise page: every gradient of a program is a blank to be written. */
export function mountPractisePage() {
  const undo = cleanups();
  undo.part(mountWayBack());
  const toCurrent = () => document.querySelector(".blank.current")?.scrollIntoView({ block: "nearest" });
  const shell = undo.part(mountShell({ projected: toCurrent }));
  const subject = subjectOf(new URL(location.href), document.documentElement.dataset.lesson ?? "");
  let leave = () => {};

  undo.part(mountSubject(subject, (chosen) => addressOf({ ...chosen, at: null })));
  undo.part(mountCopyLink(shell.notice, "this exercise, without your answers"));
  undo.on(window, "hashchange", () => location.reload()); // a link pasted into this very tab
  undo.add(() => leave());
  undo.part(
    mountLoading(byId("practise"), {
      hint: "Reload it: what you wrote stays.",
      ask: (signal) => loadProgram(subject, signal),
      arrived(program) {
        leave();
        leave = mountExercise(program, subject, shell).unmount;
      },
    }),
  );
  return { unmount: undo.run };
}

/** @param {Program} program @param {Subject} subject @param {import("../shell/shell-controller.js").Shell} shell */
function mountExercise(program, subject, shell) {
  const { walk, tasks } = program;
  const undo = cleanups();
  const shown = undo.part(mountProgram(byId("program"), walk));
  const exercise = undo.part(
    makeExercise(program, restoredProgress(walk.document.id, titleOf(program)), {
      changed(state) {
        keepProgress(state.progress);
        tellWhere(subject, tasks, state);
        blanks.update(state);
        poster.update(state.progress);
        shown.update(state.current?.target ?? null);
      },
      say: (words) => (byId("announcer").textContent = words),
      focus: (task) => turning.enter(task),
    }),
  );
  const blanks = undo.part(
    mountBlanks(program, {
      check: exercise.check,
      type: exercise.type,
      link(task, done) {
        const index = exercise.stepOf(task);
        return index === null ? null : stepAddress(subject, index, !done);
      },
    }),
  );
  const poster = undo.part(mountPoster(program, dataOf(subject), () => exercise.state.progress, shell.notice));
  const turning = makeTurning(program, subject, exercise, blanks);
  undo.part(shell.listen("practise", { next: () => turning.turn(1), back: () => turning.turn(-1) }));
  undo.part(mountActs(program, exercise, blanks, turning));
  undo.part(mountTyping(() => turning.turn(0)));
  undo.add(onTheme(exercise.redraw));
  undo.part(
    mountSummary(() => {
      const { progress } = exercise.state;
      return { title: progress.title, summary: summaryOf(progress, tasks) };
    }),
  );
  undo.part(mountProgressMenu(exercise, shell.notice, walk.request));
  turning.begin();
  return { unmount: undo.run };
}

/**
 * Tells a class, if this page stands in one's, where somebody is: a closed form is at the gradient that it is of.
 * @param {Subject} subject @param {Task[]} tasks @param {import("./exercise-controller.js").State} state
 */
function tellWhere(subject, tasks, { current, progress }) {
  const steps = tasks.filter(({ closed }) => !closed);
  const place = steps.findIndex(({ target }) => target === current?.target);
  if (!current || place < 0) return;
  const { outcome, wrong } = attemptAt(progress, current);
  tellStanding({
    address: addressOf({ ...subject, at: null }),
    place,
    names: steps.map(keyOf),
    written: steps.filter((task) => attemptAt(progress, task).outcome).length,
    tries: outcome ? 0 : wrong.length,
  });
}

/**
 * From one gradient to another: which one is open, in the page and in its address.
 * @param {Program} program @param {Subject} subject @param {Exercise} exercise @param {Blanks} blanks
 */
function makeTurning({ tasks }, subject, exercise, blanks) {
  const list = byId("blanks-pane");

  /** @param {Task|null} task */
  function open(task) {
    if (!task || task === exercise.state.current) return;
    const { element } = blanks.at(task);
    const before = element.getBoundingClientRect().top;
    exercise.open(task);
    history.replaceState(null, "", addressOf({ ...subject, at: keyOf(task) }));
    // what closed above it must not pull it from under the pointer
    list.scrollTop += element.getBoundingClientRect().top - before;
    window.scrollBy(0, element.getBoundingClientRect().top - before);
  }

  /** @param {Task} task what is hidden takes no focus, so it is opened first */
  function enter(task) {
    open(task);
    blanks.at(task).focus();
  }

  return {
    open,
    enter,
    /** @param {number} by how many gradients */
    turn(by) {
      const at = exercise.state.current ? tasks.indexOf(exercise.state.current) : -1;
      const next = tasks[Math.max(0, Math.min(tasks.length - 1, at + by))];
      if (next) enter(next);
    },
    begin() {
      const named = tasks.find((task) => keyOf(task) === subject.at);
      exercise.open(named ?? nextTask(exercise.state.progress, tasks, null) ?? tasks[0] ?? null);
      const { current } = exercise.state;
      if (current) blanks.at(current).element.scrollIntoView({ block: "nearest" });
    },
  };
}

/**
 * What is pressed in the list of blanks.
 * @param {Program} program @param {Exercise} exercise @param {Blanks} blanks
 * @param {ReturnType<typeof makeTurning>} turning
 */
function mountActs({ walk }, exercise, blanks, { open, enter }) {
  const undo = cleanups();
  const list = byId("blanks-pane");
  const downhill = undo.part(mountDownhill(walk));
  const { check, hint, show, cancel } = exercise;
  const acts = /** @type {Record<string, (task: Task) => unknown>} */ ({
    ...{ check, hint, show, cancel },
    downhill(task) {
      const step = exercise.stepOf(task);
      if (step !== null) downhill.open(step, attemptAt(exercise.state.progress, task).text.trim());
    },
  });

  undo.on(list, "focusin", ({ target }) => open(blanks.taskAt(target)));
  undo.on(list, "click", ({ target }) => {
    const [task, button] = [blanks.taskAt(target), target.closest("[data-act]")];
    if (task && button) acts[button.dataset.act](task);
    else if (task && target.closest(".blank-head, .glyph, .outcome")) enter(task);
  });
  undo.on(byId("cascade"), "change", ({ target }) => exercise.cascade(target.checked));
  return { unmount: undo.run };
}

/** @param {Subject} subject @returns {string} the data that it usually is trained on */
function dataOf({ hash }) {
  const [option] = /** @type {HTMLSelectElement} */ (byId("subject")).selectedOptions;
  return (!hash && option?.dataset.trainedOn) || "own";
}

/** @param {Program} program */
function titleOf({ walk }) {
  const { title, loss } = walk.document;
  return title || `a program for ${loss.name}`;
}
