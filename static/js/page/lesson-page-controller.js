import { Store } from "../walk/store.js";
import { copyAddress } from "../walk/lesson-copy.js";
import { addressOf, placeOf } from "../walk/url.js";
import { firstPlace, firstRequest, firstWalk, lessonRequest, trained } from "./initial-request.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { mountNotice } from "../shared/notice-view.js";
import { showProblem } from "../shared/problem-view.js";
import { mountAddress } from "./address-controller.js";
import { firstState, walkKeys } from "./common-controller.js";
import { mountHeader } from "./header-controller.js";
import { mountKeyboard } from "./keyboard-controller.js";
import { mountAppearance } from "./appearance-controller.js";
import { mountSeedForm } from "./seed-form-controller.js";
import { isTrained } from "../walk/trained-step.js";
import { showTrainedStep } from "./trained-step-view.js";
import { mountWayBack } from "./way-back-view.js";
import { mountBusyNotice } from "./busy-notice-controller.js";
import { mountWalkController } from "./walk-controller.js";

/** The Walk page: the walk of a lesson. @returns {() => void} unmount */
export function mountWalkPage() {
  const undo = cleanups();
  undo.add(mountWayBack());
  const store = new Store(firstState(firstPlace));
  const notice = mountNotice();
  const address = mountAddress(
    {
      addressOf: (place) => addressOf(place) + trained.hash,
      placeOf: (url) => placeOf(url, document.documentElement.dataset.lesson ?? ""),
    },
    (place) => walk.visit(place),
  );
  const appearance = mountAppearance(store, address);
  const walk = mountWalkController(store, address, notice, {
    question: ({ lesson, seed, exact, changes, plant }) => ({ lesson, seed, exact, changes, plant }),
    request: lessonRequest,
    failed,
  });

  /** @param {import("../shared/api.js").ApiError} error @param {(() => void)|null} keep */
  function failed(error, keep) {
    const { seed, exact, plant } = store.state;
    if (!keep) {
      byId("story").hidden = true;
      const reset = [
        ...(plant ? [{ label: "Walk it without the mistake", act: () => walk.ask({ plant: null }) }] : []),
        ...(seed === null ? [] : [{ label: subject.usual, act: () => walk.ask({ seed: null }) }]),
      ];
      // what was refused once is refused again
      const retry = error.status === 422 && reset.length ? [] : [{ label: "Try again", act: walk.load }];
      return showProblem(byId("problem"), error.problem, [...retry, ...reset]);
    }
    keep();
    if (error.problem.message.startsWith("seed")) return subject.complain(error.problem.message);
    notice.show(`${error.problem.message} This is the walk from before.`, {
      label: "Try again",
      act: () => walk.ask({ seed, exact, plant }),
    });
  }

  if (trained.request) showTrainedStep(trained.taken);
  undo.on(window, "hashchange", () => isTrained(location.hash) && location.hash !== trained.hash && location.reload());
  const waiting = mountBusyNotice(notice);
  const own = () => location.assign(copyAddress({ ...store.state, line: null }) + trained.hash);
  const controls = mountHeader(store, { ...walk, own });
  const subject = mountSeedForm(store, walk.ask, trained.hash);
  undo.add(mountKeyboard(walkKeys(walk, appearance, controls, store)));
  for (const part of [subject, controls, appearance, address, waiting, notice, walk]) undo.add(part.unmount);
  walk.follow(firstWalk, firstRequest);
  return undo.run;
}
