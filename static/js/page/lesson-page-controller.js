import { Store } from "../walk/store.js";
import { copyAddress } from "../walk/lesson-copy.js";
import { addressOf, placeOf } from "../walk/url.js";
import { isTrained, packStep, toldBy } from "../walk/trained-step.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { at } from "../shared/address.js";
import { showProblem } from "../shell/problem-view.js";
import { mountAddress } from "./address-controller.js";
import { firstState, walkKeys } from "./common-controller.js";
import { mountHeader } from "./header-controller.js";
import { firstPlace, firstRequest, firstWalk, lessonRequest, trained } from "./initial-request.js";
import { mountSeedForm } from "./seed-form-controller.js";
import { showTrainedStep } from "./trained-step-view.js";
import { mountWalkController } from "./walk-controller.js";
import { mountWalkShell } from "./walk-shell-controller.js";
import { mountWayBack } from "./way-back-view.js";
/** @typedef {import("../shared/api.js").ApiError} ApiError */

/** How this page writes its address. */
const FORM = {
  /** @param {import("../walk/url.js").Place} place */
  addressOf: (place) => addressOf(place) + trained.hash,
  /** @param {URL} url */
  placeOf: (url) => placeOf(url, document.documentElement.dataset.lesson ?? ""),
};

/** The Walk page: the walk of a lesson. @returns {import("../shell/types.js").Mounted} */
export function mountWalkPage() {
  const undo = cleanups();
  undo.part(mountWayBack());
  const store = new Store(firstState(firstPlace));
  const address = undo.part(mountAddress(FORM, (place) => walk.visit(place)));
  const shell = undo.part(mountWalkShell(store, address, ["walk"]));
  const walk = undo.part(
    mountWalkController(store, address, shell.notice, {
      question: ({ lesson, seed, word, exact, changes, plant }) => ({ lesson, seed, word, exact, changes, plant }),
      request: lessonRequest,
      walkStep,
      train: (run) => at(`/train/${encodeURIComponent(store.state.lesson)}?run=${run}`),
      failed: (error, keep) => (keep ? failedAgain(error, keep) : failedFirst(error)),
    }),
  );

  /** @param {number} taken @param {string} request */
  async function walkStep(taken, request) {
    const { lesson, word } = store.state;
    const named = word ? `&word=${encodeURIComponent(word)}` : "";
    address.flush();
    const from = trained.hash ? "" : `&from=${encodeURIComponent(location.pathname + location.search)}`;
    const hash = await packStep({ taken, request: toldBy(request, lesson) });
    location.assign(at(`/walk/${encodeURIComponent(lesson)}?step=1${named}${from}${hash}`));
  }

  /** @param {ApiError} error of the page's first walk */
  function failedFirst(error) {
    const { seed, word, plant } = store.state;
    byId("story").hidden = true;
    const reset = [
      ...(plant ? [{ label: "Walk it without the mistake", act: () => walk.ask({ plant: null }) }] : []),
      ...(word ? [{ label: "Walk without the word", act: () => walk.ask({ word: "" }) }] : []),
      ...(seed === null ? [] : [{ label: subject.usual, act: () => walk.ask({ seed: null }) }]),
    ];
    // what was refused once is refused again
    const retry = error.status === 422 && reset.length ? [] : [{ label: "Try again", act: walk.load }];
    showProblem(byId("problem"), error.problem, [...retry, ...reset]);
  }

  /** @param {ApiError} error @param {() => void} keep stays at the walk that is there */
  function failedAgain({ problem }, keep) {
    const { seed, word, exact, plant } = store.state;
    keep();
    if (problem.message.startsWith("seed")) return subject.complain(problem.message);
    if (problem.code.startsWith("word")) return subject.complain(`${problem.message} ${problem.hint}`);
    const again = { label: "Try again", act: () => walk.ask({ seed, word, exact, plant }) };
    shell.notice.show(`${problem.message} This is the walk from before.`, again);
  }

  if (trained.request) showTrainedStep(trained.taken);
  undo.on(window, "hashchange", () => isTrained(location.hash) && location.hash !== trained.hash && location.reload());
  const own = () => location.assign(copyAddress({ ...store.state, line: null }) + trained.hash);
  const header = undo.part(mountHeader(store, { ...walk, own }));
  const subject = undo.part(mountSeedForm(store, walk.ask, trained.hash));
  undo.part(shell.listen("walk", walkKeys(walk, header)));
  walk.follow(firstWalk, firstRequest);
  return { unmount: undo.run };
}
