import { frameOf } from "../walk/frame.js";
import { Writings } from "../practice/writings.js";
import { Predictions } from "../quiz/predictions.js";
import { numberIn } from "../shared/json-number.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { rememberFocus, rememberScroll } from "../shared/dom/restore-focus.js";
import { makeCalls } from "./calls-controller.js";
import { makeMoves } from "./moves-controller.js";
import { mountPlaying } from "./playing-controller.js";
import { makeQuestions } from "./questions-controller.js";
import { makeStepsLoader } from "./steps-loader.js";
import { mountViews } from "./views-controller.js";
import { makeWaiting } from "./waiting-view.js";
/** @typedef {import("../walk/store.js").Store} Store */
/** @typedef {import("../walk/store.js").State} State */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("../shared/api.js").ApiError} ApiError */
/** @typedef {ReturnType<typeof import("./address-controller.js").mountAddress>} Address */
/** @typedef {import("../shell/notice-controller.js").Notice} Notice */
/**
 * What differs between the pages that walk: which part of the state is the question, the request it makes
 * as a JSON text, how a step of its training is walked and where that is seen whole, and what a refusal leads to;
 * `keep` goes back to the walk that is there, where one is.
 * @typedef {{question: (state: State) => Partial<State>, request: (state: State) => string,
 *   walkStep: (taken: number, request: string) => void, train: (run: string) => string,
 *   arrived?: () => void, settled?: () => void, failed: (error: ApiError, keep: (() => void)|null) => void}} Subject
 */
/** @typedef {(loss: string, before: number, after: number) => void} Told the loss's name, and what became of it */
/**
 * Who lists the changes: `tried` hears what changes that are only tried make of the loss, `walked` what another walk
 * has made of it, `made` that there is one more change.
 * @typedef {{tried: Told, walked: Told, made: () => void}} Watcher
 */
/**
 * A walk that is there, its views and what they show: of a step that has not come yet, the one before; `stood` scrolls
 * to where the walk before it was scrolled.
 * @typedef {{walk: Walk, steps: ReturnType<typeof makeStepsLoader>, views: ReturnType<typeof mountViews>|null,
 *   drawn: State|null, stood: () => void}} Shown
 */
/**
 * What all that happens on the page works on; `frame` is made of the state as it is now.
 * @typedef {{store: Store, address: Address, notice: Notice, subject: Subject, predictions: Predictions,
 *   writings: Writings, waiting: ReturnType<typeof makeWaiting>, watcher: Watcher, shown: Shown|null,
 *   frame: () => import("../walk/frame.js").Frame|null}} Page
 */

/**
 * A walk on the page: one state, one frame made from it, and views that all draw that frame.
 * @param {Store} store @param {Address} address @param {Notice} notice @param {Subject} subject
 */
export function mountWalkController(store, address, notice, subject) {
  const undo = cleanups();
  const main = byId("walk");
  const waiting = makeWaiting(notice, subject.settled);
  /** @type {Page} */
  const page = {
    ...{ store, address, notice, subject, waiting },
    predictions: new Predictions(),
    writings: new Writings(),
    watcher: { tried: () => {}, walked: () => {}, made: () => {} },
    shown: null,
    frame() {
      page.shown?.walk.focus(store.state.example);
      return page.shown && frameOf(page.shown.walk, store.state, page.predictions, page.writings);
    },
  };
  const playing = mountPlaying(page, { go: (index) => moves.go(index), answer: (choice) => moves.answer(choice) });
  const moves = makeMoves(page, playing.pause);
  const questions = makeQuestions(page, { pause: playing.pause, change: moves.change, jump: moves.jump, show });
  const calls = makeCalls(page, questions.open);
  const { walkStep, train } = subject;
  const acts = { ...playing, ...moves, ...questions, ...calls, tried, walkStep, train };

  /** @param {number} loss that changes make which are only tried */
  function tried(loss) {
    if (page.shown) page.watcher.tried(...lossOf(page.shown.walk), loss);
  }

  /** @param {Walk} walk @param {Partial<State>} place */
  function show(walk, place) {
    if (page.shown) page.watcher.walked(walk.lossName, lossOf(page.shown.walk)[1], lossOf(walk)[1]);
    byId("transport").inert = false;
    const restore = rememberFocus(main);
    const stood = page.shown ? rememberScroll(byId("step")) : () => undefined;
    leave();
    const again = () => draw(store.state, store.state);
    page.shown = {
      walk,
      steps: makeStepsLoader(walk, { arrived: again, failed: stuck }),
      views: null,
      drawn: null,
      stood,
    };
    subject.arrived?.(); // first, because views measure the room they are given
    page.shown.views = mountViews(walk, page.writings, acts);
    store.set(place);
    address.replace(store.state);
    restore();
  }

  function leave() {
    page.shown?.views?.unmount();
    page.shown?.steps.unmount();
  }

  /** What a step shows did not come. @param {ApiError} error */
  function stuck({ problem }) {
    playing.pause();
    notice.show(problem.message, { label: "Try again", act: () => draw(store.state, store.state) }, 20);
  }

  /** @param {State} state @param {State} before */
  function draw(state, before) {
    const { shown } = page;
    const there = shown?.steps.look(state) ?? false;
    waiting.mark({ step: shown !== null && !there });
    const frame = there ? page.frame() : null;
    playing.hold(frame !== null && frame.pick !== null);
    if (!frame || !shown?.views || main.hidden) return;
    shown.views.update(frame, state, shown.drawn ?? before);
    if (!shown.drawn && state.hand) shown.stood(); // what is in the hand stays below it
    shown.drawn = state;
  }

  undo.add(store.subscribe(draw));
  undo.add(leave);
  undo.add(playing.unmount);
  undo.add(questions.unmount);
  return { ...acts, watch: (/** @type {Watcher} */ one) => (page.watcher = one), unmount: undo.run };
}

/** @param {Walk} walk @returns {[string, number]} its loss's name and value */
function lossOf({ lossName, document }) {
  return [lossName, numberIn(document.loss.value)];
}
