import { Store } from "../walk/store.js";
import { trailIn } from "../walk/trail.js";
import { addressOf, placeOf } from "../walk/url.js";
import { firstPlace, firstRequest, firstWalk, lessonRequest } from "./initial-request.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { mountNotice } from "../shared/notice-view.js";
import { showProblem } from "../shared/problem-view.js";
import { mountAddress } from "./address-controller.js";
import { mountControls } from "./header-controller.js";
import { mountKeys } from "./keyboard-controller.js";
import { mountLook } from "./appearance-controller.js";
import { mountSubject } from "./seed-form-controller.js";
import { mountWaiting } from "./busy-notice-controller.js";
import { mountWalking } from "./walk-controller.js";

/** The Walk page: the walk of a lesson. @returns {() => void} unmount */
export function mountWalkPage() {
  const undo = cleanups();
  const theme = document.documentElement.dataset.theme === "dark" ? "dark" : "light";
  const store = new Store({ ...firstPlace, trail: trailIn(history.state), theme, playing: false, speed: 4, projector: false });
  const notice = mountNotice();
  const address = mountAddress({ addressOf, placeOf: (url) => placeOf(url, document.documentElement.dataset.lesson ?? "") }, (place) => walking.visit(place));
  const look = mountLook(store);
  const walking = mountWalking(store, address, notice, {
    question: ({ lesson, seed, exact }) => ({ lesson, seed, exact }),
    request: lessonRequest,
    failed,
  });

  /** @param {import("../shared/api.js").ApiError} error @param {(() => void)|null} keep */
  function failed(error, keep) {
    const { seed, exact } = store.state;
    if (!keep) {
      byId("story").hidden = true;
      const reset = seed === null ? [] : [{ label: subject.usual, act: () => walking.ask({ seed: null }) }];
      // what was refused once is refused again
      const retry = error.status === 422 && reset.length ? [] : [{ label: "Try again", act: walking.load }];
      return showProblem(byId("problem"), error.problem, [...retry, ...reset]);
    }
    keep();
    if (error.problem.message.startsWith("seed")) return subject.complain(error.problem.message);
    notice.show(`${error.problem.message} This is the walk from before.`, { label: "Try again", act: () => walking.ask({ seed, exact }) });
  }

  const waiting = mountWaiting(notice);
  const controls = mountControls(store, walking);
  const subject = mountSubject(store, walking.ask);
  undo.add(mountKeys({
    ...walking, projector: look.toggleProjector, theme: look.toggleTheme, help: controls.help,
    escape: () => { if (!walking.shut() && store.state.projector) look.toggleProjector(); },
  }));
  for (const part of [subject, controls, look, address, waiting, notice, walking]) undo.add(part.unmount);
  walking.follow(firstWalk, firstRequest);
  return undo.run;
}
