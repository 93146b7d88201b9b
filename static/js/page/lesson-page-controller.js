import { Store } from "../model/store.js";
import { trailIn } from "../model/trail.js";
import { addressOf, placeOf } from "../model/url.js";
import { firstPlace, firstRequest, firstWalk, lessonRequest } from "../net/first.js";
import { byId, cleanups } from "../views/dom.js";
import { mountNotice } from "../views/notice.js";
import { showProblem } from "../views/problem.js";
import { mountAddress } from "./address.js";
import { mountControls } from "./controls.js";
import { mountKeys } from "./keys.js";
import { mountLook } from "./look.js";
import { mountSubject } from "./subject.js";
import { mountWaiting } from "./waiting.js";
import { mountWalking } from "./walking.js";

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

  /** @param {import("../net/api.js").ApiError} error @param {(() => void)|null} keep */
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
