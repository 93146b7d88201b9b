import { asApiError } from "../shared/api.js";
import { latest } from "../shared/latest.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { showProblem } from "../shell/problem-view.js";
import { beginWith } from "./beginning-loader.js";
import { keepProgram } from "./program-storage-controller.js";
import { forgetRun } from "../run/training-api.js";
/** @typedef {import("./asked.js").Asked} Asked */
/** @typedef {ReturnType<typeof import("../run/run-controller.js").followedRuns>} Followed */
/** @typedef {ReturnType<typeof mountRuns>} Runs */

export const HINT = "Reload the page: a run goes on where it is.";

/**
 * From one run to another: begun with what is asked for, followed, left.
 * @param {Asked} asked @param {Followed} followed
 * @param {ReturnType<typeof import("./setup-controller.js").mountSetupController>} setup
 * @param {ReturnType<typeof import("./display-controller.js").mountDisplay>} display
 */
export function mountRuns(asked, followed, setup, display) {
  const undo = cleanups();
  const requests = latest();
  const { subject } = asked;
  undo.add(requests.stop);
  undo.add(followed.leave);

  function draw() {
    setup.draw();
    display.wake();
  }

  /** @param {string} id empty for none */
  function turnTo(id) {
    display.begin();
    subject.run = id;
    if (id) keepProgram(subject);
    if (id) followed.follow(id);
    else followed.leave();
    setup.keepAddress();
    draw();
  }

  /** @param {boolean} paused @param {[string, object]|null} then what it is told once it is there */
  function begin(paused, then = null) {
    if (!setup.holds()) return;
    asked.starting = true;
    byId("problem").hidden = true;
    draw();
    requests.ask((signal) => beginWith(subject, asked.fields, asked.drawn, paused, signal), {
      arrived(id) {
        asked.starting = false;
        turnTo(id);
        if (then) followed.tell(...then);
      },
      failed(error) {
        asked.starting = false;
        draw();
        const again = { label: "Try again", act: () => begin(paused, then) };
        showProblem(byId("problem"), asApiError(error, HINT).problem, [again]);
      },
    });
  }

  return {
    begin,
    turnTo,
    /** @param {import("../run/types.js").RunEvent} event @param {0|1} place of the run that tells it */
    hear(event, place) {
      display.hear(event, place);
      const { start, settings } = followed.runs()[place];
      const told = event.kind === "start" ? start : event.kind === "settings" ? settings : null;
      if (told) {
        asked.hear(place, /** @type {any} */ (told));
        setup.keepAddress();
      }
      if (event.kind === "report") return display.wake();
      setup.draw();
      display.redraw();
    },
    /** @param {import("../shared/api.js").ApiError} error of a run that is no longer there */
    gone({ problem }) {
      turnTo("");
      showProblem(byId("problem"), problem, []);
    },
    startAnew: () => {
      const id = followed.id();
      turnTo("");
      forgetRun(id).catch(() => undefined); // else it ends by itself before long
      byId("go").focus();
    },
    unmount: undo.run,
  };
}
