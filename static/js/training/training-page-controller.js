import { mountSubject } from "../subject/subject-controller.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { mountShell } from "../shell/shell-controller.js";
import { onTheme } from "../shell/theme-view.js";
import { mountStepActs, runActs } from "./acts-controller.js";
import { addressOf, subjectOf } from "./address.js";
import { Asked } from "./asked.js";
import { changeCommand } from "./beside.js";
import { mountDisplay } from "./display-controller.js";
import { keptProgram } from "./program-storage-controller.js";
import { followedRuns } from "../run/run-controller.js";
import { HINT, mountRuns } from "./runs-controller.js";
import { mountSetupController } from "./setup-controller.js";
/** @typedef {import("./address.js").Subject} Subject */

/** The Train page: one run or two, their controls and instruments. */
export function mountTrainingPage() {
  const undo = cleanups();
  const subject = keptProgram(subjectOf(new URL(location.href), document.documentElement.dataset.lesson ?? ""));
  const shell = undo.part(mountShell({ lists: ["train"], projected }));
  const followed = followedRuns({
    heard: (event, place) => runs.hear(event, place),
    connected: (now) => (byId("connection").hidden = now),
    gone: (error) => runs.gone(error),
    failed: (error) => shell.notice.fail(error, HINT),
  });
  const asked = new Asked(subject, dataOf(subject), followed.runs);
  const display = undo.part(mountDisplay(asked));
  const setup = undo.part(
    mountSetupController(asked, {
      changed: () => followed.id() && followed.tell("set", changeCommand(asked.fields)),
      start: () => asked.status === "empty" && runs.begin(false),
      drawn: display.offer,
    }),
  );
  const runs = undo.part(mountRuns(asked, followed, setup, display));
  undo.part(mountActs({ asked, followed, runs, display, notice: shell.notice }, shell));
  undo.part(
    mountSubject({ ...subject, seed: null }, ({ lesson, hash }) =>
      addressOf({ ...subject, lesson, hash, run: "", settings: {} }),
    ),
  );
  undo.add(onTheme(display.dress));
  undo.on(window, "hashchange", () => location.reload()); // a link pasted into this very tab
  shell.projector.wear(subject.projector);
  if (subject.run) runs.turnTo(subject.run);
  else setup.draw();
  setup.showBeside();
  display.dress();
  return { unmount: undo.run };

  /** @param {boolean} on */
  function projected(on) {
    subject.projector = on;
    byId("run-pane").scrollTo(0, 0);
    setup.keepAddress();
    display.dress();
  }
}

/**
 * What is pressed, on the page or on the keyboard.
 * @param {import("./acts-controller.js").Training} training @param {import("../shell/shell-controller.js").Shell} shell
 */
function mountActs(training, shell) {
  const undo = cleanups();
  const { runTo, ...acts } = runActs(training);
  const steps = undo.part(mountStepActs(training));
  const { walkStep, compare, sample } = steps;
  const pressed = { ...acts, "new-run": training.runs.startAnew, "walk-step": walkStep, compare, sample };
  for (const [id, act] of Object.entries(pressed)) undo.on(byId(id), "click", act);
  undo.on(byId("run-to-form"), "submit", runTo);
  undo.on(byId("look-at"), "keydown", ({ key }) => key === "Enter" && walkStep());
  const { go, one, ten } = acts;
  undo.part(
    shell.listen("train", {
      ...{ go, one, ten, walkStep },
      compare: () => training.display.shown()?.report && compare(),
      restart: () => training.followed.runs().some(({ taken }) => taken) && acts.restart(),
    }),
  );
  return { unmount: undo.run };
}

/** @param {Subject} subject @returns {{wordList: boolean, trainedOn: string}} the data that it usually is trained on */
function dataOf({ hash, lesson }) {
  const { options } = /** @type {HTMLSelectElement} */ (byId("subject"));
  const option = [...options].find(({ value }) => value === `lesson ${lesson}`);
  const wordList = !hash && lesson === byId("train").dataset.drawn;
  return { wordList, trainedOn: (!hash && option?.dataset.trainedOn) || "own" };
}
