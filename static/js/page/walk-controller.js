import { frameOf } from "../walk/frame.js";
import { Player } from "./player.js";
import { mountHolds, wordsOnStage } from "./stage-time-view.js";
import { countWords, waitAt } from "./tempo.js";
import { Writings } from "../practice/writings.js";
import { Predictions } from "../quiz/predictions.js";
import { cutsLine, withChange } from "../walk/changes.js";
import { NOTHING } from "../walk/pick.js";
import { uprootedWords } from "../walk/plant.js";
import { moveTo } from "../walk/store.js";
import { numberIn } from "../shared/json-number.js";
import { sameStep } from "../walk/same-step.js";
import { placeIn } from "../walk/url.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { rememberFocus } from "../shared/dom/restore-focus.js";
import { copyAddressBar } from "./common-controller.js";
import { makeStepsLoader } from "./steps-loader.js";
import { makeWalkLoader } from "./walk-loader.js";
import { mountViews } from "./views-controller.js";
/** @typedef {import("../walk/store.js").Store} Store */
/** @typedef {import("../walk/store.js").State} State */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("./sheets-controller.js").Sheets} Sheets */
/** @typedef {import("../walk/types.js").WalkDocument} WalkDocument */
/** @typedef {import("../shared/api.js").ApiError} ApiError */
/**
 * What differs between the pages that walk: which part of the state is the question, the request it makes
 * as a JSON text, and what a refusal leads to; `keep` goes back to the walk that is there, where one is.
 * @typedef {{question: (state: State) => Partial<State>, request: (state: State) => string,
 *   arrived?: () => void, settled?: () => void, failed: (error: ApiError, keep: (() => void)|null) => void}} Subject
 */

/** @typedef {(loss: string, before: number, after: number) => void} Told the loss's name, and what became of it */
/**
 * `tried` hears what changes that are only tried make of the loss, `walked` what another walk has made of it, `made`
 * that there is one more change.
 * @typedef {{tried: Told, walked: Told, made: () => void}} Watcher
 */

/**
 * A walk on the page: one state, one frame made from it, and views that all draw that frame.
 * @param {Store} store @param {ReturnType<typeof import("./address-controller.js").mountAddress>} address
 * @param {import("../shell/notice-controller.js").Notice} notice @param {Subject} subject
 */
export function mountWalkController(store, address, notice, subject) {
  const undo = cleanups();
  const predictions = new Predictions();
  const writings = new Writings();
  const main = byId("walk");
  /** @type {Walk|null} */
  let walk = null;
  /** @type {ReturnType<typeof mountViews>|null} */
  let views = null;
  /** @type {ReturnType<typeof makeStepsLoader>|null} */
  let steps = null;
  /** What the views show: of a step that has not come yet, the one before. @type {State|null} */
  let drawn = null;
  /** Who lists the changes. @type {Watcher} */
  let watcher = { tried: () => {}, walked: () => {}, made: () => {} };
  /** Whether the walk that is asked for is to show what this one shows. */
  let follows = false;
  let shownQuestion = subject.question(store.state);

  const player = new Player({
    advance,
    ended: () => store.set({ playing: false }),
    wait: () => waitAt(countWords(wordsOnStage()), store.state.speed),
    busy: () => document.querySelector("dialog[open]") !== null,
  });
  undo.part(mountHolds((by, holds) => player.hold(by, holds)));
  /** @type {((sheets: Sheets) => void)|null} what opens once the walk is there */
  let opens = null;
  let uprooted = ""; // what is said of a mistake that a change took along, once the walk is there
  const lacks = { walk: true, step: false };
  const loader = makeWalkLoader({ busy, placeFor, arrived, failed });

  /** @param {number} index @param {boolean} [jump] */
  function go(index, jump = false) {
    if (!walk) return;
    store.set(moveTo(store.state, walk.clamp(index)));
    if (jump) address.push(store.state);
    else address.step(store.state);
  }

  /** @param {Partial<State>} change */
  function change(change) {
    store.set(change);
    address.replace(store.state);
  }

  /** @param {Partial<State>} change to which Back returns */
  function jump(change) {
    pause();
    store.set(change);
    address.push(store.state);
  }

  /** @returns {boolean} whether there is another step to play */
  function advance() {
    if (!walk || frameOf(walk, store.state, predictions, writings).asking) return false;
    go(store.state.step + 1);
    return store.state.step < walk.steps.length - 1;
  }

  function togglePlay() {
    const playing = !store.state.playing && walk !== null;
    if (playing && walk && store.state.step >= walk.steps.length - 1) go(0);
    if (playing) player.start();
    else player.stop();
    store.set({ playing });
  }

  function pause() {
    player.stop();
    store.set({ playing: false });
  }

  /** @param {number} digit an answer where questions are asked, and never more; a speed elsewhere */
  function digit(digit) {
    if (!store.state.predict) return pace(digit);
    const frame = walk && frameOf(walk, store.state, predictions, writings);
    if (frame?.asking && !frame.writing) answer(digit - 1);
  }

  /** @param {number} speed 1 … 9 */
  function pace(speed) {
    store.set({ speed });
    if (player.playing) player.start();
  }

  /** @param {number} choice */
  function answer(choice) {
    if (!walk || predictions.choose(walk.steps[store.state.step], choice) === null) return;
    store.set({});
    byId("step").focus({ preventScroll: true });
  }

  /** The line that was to be written takes its place. */
  function written() {
    store.set({});
    byId("step").focus({ preventScroll: true });
  }

  /** @param {string} name */
  function select(name) {
    if (!walk) return;
    const step = walk.stepFor(name, store.state.step);
    if (step !== null) return go(step, true);
    store.set({ ...NOTHING, node: name, view: null });
    address.push(store.state);
  }

  /** @param {Partial<State>} question a new minibatch or other rules: the step stays */
  function ask(question) {
    pause();
    // once a line is cut, steps are counted otherwise: the mistake would be planted elsewhere
    const cut = question.changes?.find((change) => walk && cutsLine(walk, change));
    if (store.state.plant && cut && "tensor" in cut) {
      uprooted = uprootedWords(store.state.plant, cut.tensor);
      question = { ...question, plant: null };
    }
    follows = question.step === undefined;
    store.set(question);
    address.push(store.state);
    load();
  }

  /**
   * Steps of gradient descent, and the walk from its beginning on the new numbers.
   * @param {number} rate @param {number} steps
   */
  function descend(rate, steps) {
    const changes = withChange(store.state.changes, { descend: rate, steps });
    ask({ ...NOTHING, changes, step: 0, node: null, view: null });
  }

  /** @param {import("../walk/changes.js").Change} change that is made besides those there are */
  function make(change) {
    ask({ changes: withChange(store.state.changes, change) });
    watcher.made();
  }

  /**
   * Opens something over the walk, or over the next one where that is on its way.
   * @param {(sheets: Sheets) => void} act
   */
  function open(act) {
    if (lacks.walk) opens = act;
    else if (views) act(views.sheets);
  }

  /** @param {number} loss that changes make which are only tried */
  function tried(loss) {
    if (walk) watcher.tried(walk.lossName, numberIn(walk.document.loss.value), loss);
  }

  function load() {
    loader.load(subject.request(store.state));
  }

  /**
   * A request that has left already: that of the page's first walk.
   * @param {Promise<WalkDocument>} answer @param {AbortController} controller
   */
  function follow(answer, controller) {
    loader.follow(subject.request(store.state), answer, controller);
  }

  /** @param {import("./address-controller.js").Visit} place from Back or Forward */
  function visit(place) {
    follows = false; // the place is one of the walk that is asked for
    store.set(place);
    if (JSON.stringify(subject.question(store.state)) !== JSON.stringify(shownQuestion)) load();
  }

  /** What is not there yet: another walk, or what the step of this one shows. @param {Partial<typeof lacks>} change */
  function mark(change) {
    Object.assign(lacks, change);
    main.setAttribute("aria-busy", String(lacks.walk || lacks.step));
    main.classList.toggle("fetching", lacks.step);
  }

  function busy() {
    mark({ walk: true });
    main.classList.toggle("stale", walk !== null);
    if (walk) notice.show("Walking again…", { label: "Cancel", act: cancel });
  }

  function cancel() {
    loader.cancel();
    uprooted = "";
    opens = null;
    change(shownQuestion);
    settle();
    notice.show("Cancelled: this is the walk from before.", null, 3);
  }

  function settle() {
    mark({ walk: false });
    main.classList.remove("stale");
    notice.hide();
    subject.settled?.();
  }

  /** @param {Walk} made @returns {State} where it is looked at first */
  function placeFor(made) {
    const { state } = store;
    return { ...state, ...placeIn(made, follows && walk ? { ...state, ...sameStep(walk, state.step, made) } : state) };
  }

  /** @param {Walk} made */
  function arrived(made) {
    settle();
    byId("problem").hidden = true;
    byId("story").hidden = false;
    const place = placeFor(made);
    follows = false;
    if (walk) watcher.walked(made.lossName, numberIn(walk.document.loss.value), numberIn(made.document.loss.value));
    walk = made;
    byId("transport").inert = false;
    shownQuestion = subject.question(store.state);
    const restore = rememberFocus(main);
    views?.unmount();
    views = null;
    steps?.unmount();
    steps = makeStepsLoader(made, { arrived: () => draw(store.state, store.state), failed: stuck });
    drawn = null;
    subject.arrived?.(); // first, because views measure the room they are given
    views = mountViews(made, writings, {
      go,
      select,
      answer,
      written,
      change,
      jump,
      exact: toggleExact,
      play: togglePlay,
      descend,
      ask,
      make,
      open,
      tried,
      pace,
      replay,
      missing,
      tell,
    });
    store.set(place);
    address.replace(store.state);
    restore();
    opens?.(views.sheets);
    opens = null;
    if (uprooted) notice.show(uprooted, { label: "Back", act: () => history.back() }, 10);
    uprooted = "";
  }

  function keep() {
    main.classList.remove("stale");
    change(shownQuestion);
  }

  /** What a step shows did not come. @param {ApiError} error */
  function stuck({ problem }) {
    pause();
    notice.show(problem.message, { label: "Try again", act: () => draw(store.state, store.state) }, 20);
  }

  /** @param {ApiError} error */
  function failed(error) {
    settle();
    opens = null;
    main.classList.toggle("stale", walk !== null);
    subject.failed(error, walk && keep);
  }

  function toggleExact() {
    ask({ exact: !store.state.exact });
  }

  /** @param {(there: NonNullable<typeof views>) => unknown} act @param {string} words why, where it does nothing */
  function orSay(act, words) {
    if (views && !act(views)) notice.show(words, null, 4);
  }

  /** Into the number that is picked, or the loudest one here. */
  const look = () => orSay(({ lens }) => lens.open(), "There is no number here to look into yet.");

  /** The number that is picked, or the loudest one here, goes into the hand. */
  const move = () => orSay((there) => there.take(), "There is no number here to move yet.");

  /** A mistake on purpose: the list of those that can be made at this step. */
  const wrong = () =>
    orSay(({ plant }) => plant.toggle(), "Mistakes are made on the way back: go to a backward step first.");

  /** The next piece that this step has besides its picture. */
  const study = () => orSay((there) => there.study(), "This step has no further view, such as lines that collapse.");

  const nudge = () =>
    open((sheets) => {
      if (!sheets.nudge()) notice.show("There is no gradient here that could be tested by a nudge.", null, 4);
    });

  const replay = () =>
    orSay((there) => there.replay() !== false, "Your system asks for less motion: nothing moves here.");

  /** @param {string} words why something cannot be done */
  const tell = (words) => notice.show(words, null, 8);

  const missing = () => notice.show("A part of this page did not arrive. Is gradwalk still running?", null, 6);

  const share = () => copyAddressBar(address, notice, "Link copied: it opens this very step.", 3);

  /** @param {State} state @param {State} before */
  function draw(state, before) {
    const there = steps?.look(state) ?? false;
    mark({ step: walk !== null && !there });
    const frame = there && walk ? frameOf(walk, state, predictions, writings) : null;
    player.hold("number", frame !== null && frame.pick !== null);
    if (!frame || !views || main.hidden) return;
    views.update(frame, state, drawn ?? before);
    drawn = state;
  }

  undo.add(store.subscribe(draw));
  undo.add(() => views?.unmount());
  undo.add(() => steps?.unmount());
  undo.add(() => player.stop());
  undo.add(() => loader.cancel());
  return {
    next: () => go(store.state.step + 1),
    back: () => go(store.state.step - 1),
    first: () => go(0, true),
    last: () => go((walk?.steps.length ?? 1) - 1, true),
    forward: () => go(0, true),
    backward: () => go(walk?.forwardCount ?? 0, true),
    play: togglePlay,
    exact: toggleExact,
    attempt: (/** @type {import("../walk/changes.js").Change[]} */ changes) => views?.attempt(changes),
    downhill: () => open((sheets) => sheets.downhill()),
    watch: (/** @type {Watcher} */ one) => (watcher = one),
    digit,
    replay,
    nudge,
    look,
    move,
    wrong,
    trace: () => views?.lens.back(),
    study,
    shut: () => (views?.lens.home() || views?.lens.close() || views?.plant.shut() || views?.leave()) ?? false,
    pause,
    ask,
    change,
    share,
    visit,
    load,
    follow,
    unmount: undo.run,
  };
}
