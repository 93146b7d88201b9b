import { stands } from "../practice/attempts.js";
import { mountWayBack } from "../page/way-back-view.js";
import { asApiError } from "../shared/api.js";
import { mountCopyLink } from "../shared/copy-link-controller.js";
import { latest } from "../shared/latest.js";
import { mountNotice } from "../shared/notice-view.js";
import { mountPlainHeader } from "../shared/plain-header-controller.js";
import { showProblem } from "../shared/problem-view.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { shownTheme } from "../shared/dom/theme.js";
import { addressOf, stepAddress, subjectOf } from "./address.js";
import { mountBlank } from "./blank-view.js";
import { mountDownhill } from "./downhill-controller.js";
import { makeExercise } from "./exercise-controller.js";
import { mountProgram } from "./program-view.js";
import { mountProgressMenu } from "./progress-menu-controller.js";
import { keepProgress, restoredProgress } from "./progress-storage-controller.js";
import { attemptAt, countText, keyOf, nextTask, summaryOf } from "./progress.js";
import { loadProgram } from "./program-loader.js";
import { mountProjector } from "./projector-view.js";
import { mountSubject } from "./subject-controller.js";
import { mountSummary } from "./summary-view.js";
import { usesOf } from "./uses.js";
/** @typedef {import("./tasks.js").Task} Task */
/** @typedef {import("./exercise-controller.js").State} State */
/** @typedef {import("./program-loader.js").Program} Program */

/** The Practise page: every gradient of a program is a blank to be written. @returns {() => void} unmount */
export function mountPractisePage() {
  const undo = cleanups();
  undo.add(mountWayBack());
  const main = byId("practise");
  const notice = mountNotice();
  const requests = latest();
  let subject = subjectOf(new URL(location.href), document.documentElement.dataset.lesson ?? "");
  let leave = () => {};

  function load() {
    main.setAttribute("aria-busy", "true");
    main.classList.remove("failed");
    byId("problem").hidden = true;
    byId("blanks-pane").hidden = false;
    requests.ask((signal) => loadProgram(subject, signal), { arrived, failed });
  }

  /** @param {Program} program */
  function arrived(program) {
    main.setAttribute("aria-busy", "false");
    leave();
    leave = mountExercise(program, subject, notice, (at) => {
      subject = { ...subject, at };
      history.replaceState(null, "", addressOf(subject));
    });
  }

  /** @param {unknown} error */
  function failed(error) {
    main.setAttribute("aria-busy", "false");
    main.classList.add("failed");
    byId("blanks-pane").hidden = true;
    const { problem, status } = asApiError(error, "Reload it: what you wrote stays.");
    // what was refused once is refused again
    showProblem(byId("problem"), problem, status === 422 ? [] : [{ label: "Try again", act: load }]);
  }

  undo.add(mountPlainHeader());
  undo.add(mountSubject(subject));
  undo.add(mountProjector());
  undo.add(mountCopyLink(notice, "this exercise, without your answers"));
  undo.on(window, "hashchange", () => location.reload()); // a link pasted into this very tab
  undo.add(() => leave());
  undo.add(requests.stop);
  undo.add(notice.unmount);
  load();
  return undo.run;
}

/**
 * @param {Program} program @param {import("./address.js").Subject} subject
 * @param {ReturnType<typeof mountNotice>} notice
 * @param {(at: string|null) => void} moved the gradient that is open now
 */
function mountExercise(program, subject, notice, moved) {
  const { walk, tasks } = program;
  const list = byId("blanks-pane");
  const undo = cleanups();
  const announcer = byId("announcer");
  const shown = mountProgram(byId("program"), walk);
  const exercise = makeExercise(program, restoredProgress(walk.document.id, titleOf(program)), {
    changed: draw,
    say: (words) => (announcer.textContent = words),
    focus: enter,
  });
  const { labels } = walk.document;
  const blanks = new Map(
    tasks.map((task) => {
      const node = walk.node(task.target);
      const about = { name: node.variable, dims: node.dims, labels };
      const uses = usesOf(walk, task.target).map(({ source }) => source);
      const blank = mountBlank(
        task,
        { uses, about, theme: shownTheme },
        { check: () => exercise.check(task), typed: (text) => exercise.type(task, text) },
      );
      undo.add(blank.unmount);
      return [task, blank];
    }),
  );
  const elements = (/** @type {boolean} */ closed) =>
    tasks.filter((task) => task.closed === closed).map((task) => /** @type {any} */ (blanks.get(task)).element);
  byId("blanks").replaceChildren(...elements(false));
  byId("closed-forms").replaceChildren(...elements(true));
  byId("closed").hidden = !elements(true).length;
  byId("none").hidden = tasks.length > 0;

  /** @param {State} state */
  function draw(state) {
    const { progress, current, busy, problem } = state;
    keepProgress(progress);
    for (const [task, blank] of blanks) {
      const attempt = attemptAt(progress, task);
      blank.update({
        attempt,
        reply: state.replies.get(keyOf(task)) ?? null,
        busy: busy === task,
        problem: problem?.task === task ? problem.problem : null,
        current: task === current,
        link: linkOf(task, stands(attempt)),
      });
    }
    shown.update(current?.target ?? null);
    byId("count").textContent = countText(progress, tasks);
    const [bar, all] = [/** @type {HTMLProgressElement} */ (byId("bar")), tasks.filter(({ closed }) => !closed)];
    bar.max = Math.max(1, all.length);
    bar.value = all.filter((task) => attemptAt(progress, task).outcome).length;
    /** @type {HTMLInputElement} */ (byId("cascade")).checked = progress.cascade;
  }

  /** @param {Task} task @param {boolean} done */
  function linkOf(task, done) {
    const index = exercise.stepOf(task);
    return index === null ? null : stepAddress(subject, index, !done);
  }

  /** @param {EventTarget|null} target @returns {Task|null} */
  function taskAt(target) {
    const element = /** @type {HTMLElement|null} */ (target)?.closest?.(".blank");
    return tasks.find((task) => blanks.get(task)?.element === element) ?? null;
  }

  /** @param {Task|null} task */
  function open(task) {
    if (!task || task === exercise.state.current) return;
    const element = /** @type {HTMLElement} */ (blanks.get(task)?.element);
    const before = element.getBoundingClientRect().top;
    exercise.open(task);
    moved(keyOf(task));
    // what closed above it must not pull it from under the pointer
    const pulled = element.getBoundingClientRect().top - before;
    list.scrollTop += pulled;
    window.scrollBy(0, element.getBoundingClientRect().top - before);
  }

  /** @param {Task} task what is hidden takes no focus, so it is opened first */
  function enter(task) {
    open(task);
    blanks.get(task)?.focus();
  }

  /** @param {Task} task whose answer is wrong */
  function goDownhill(task) {
    const step = exercise.stepOf(task);
    if (step !== null) downhill.open(step, attemptAt(exercise.state.progress, task).text.trim());
  }

  undo.on(list, "focusin", (event) => open(taskAt(event.target)));
  undo.on(list, "click", (event) => {
    const [task, button] = [taskAt(event.target), event.target.closest("[data-act]")];
    if (!task) return;
    if (!button) return event.target.closest(".blank-head, .glyph, .outcome") && enter(task);
    const { check, hint, show, cancel } = exercise;
    ({ check, hint, show, cancel, downhill: goDownhill })[/** @type {"check"} */ (button.dataset.act)](task);
  });
  undo.on(byId("cascade"), "change", (event) => exercise.cascade(event.target.checked));
  const theme = new MutationObserver(exercise.redraw); // colours of pictures are drawn, not styled
  theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  undo.add(() => theme.disconnect());
  undo.on(document, "keydown", (event) => {
    const step = { PageDown: 1, PageUp: -1 }[/** @type {string} */ (event.key)];
    if (!step || document.querySelector("dialog[open]") || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    const at = exercise.state.current ? tasks.indexOf(exercise.state.current) : -1;
    const next = tasks[Math.max(0, Math.min(tasks.length - 1, at + step))];
    if (next) enter(next);
  });
  const summary = mountSummary(() => {
    const { progress } = exercise.state;
    return { title: progress.title, summary: summaryOf(progress, tasks) };
  });
  const menu = mountProgressMenu(exercise, notice);
  const downhill = mountDownhill(walk);
  for (const part of [summary, menu, downhill, exercise]) undo.add(part.unmount);
  const first = tasks.find((task) => keyOf(task) === subject.at) ?? nextTask(exercise.state.progress, tasks, null);
  exercise.open(first ?? tasks[0] ?? null);
  blanks.get(/** @type {Task} */ (exercise.state.current))?.element.scrollIntoView({ block: "nearest" });
  return undo.run;
}

/** @param {Program} program */
function titleOf({ walk }) {
  const { title, loss } = walk.document;
  return title || `a program for ${loss.name}`;
}
