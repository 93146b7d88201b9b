import { frameOf } from "../model/frame.js";
import { Player } from "../model/player.js";
import { Predictions } from "../model/predict.js";
import { Store, moveTo } from "../model/store.js";
import { firstPlace } from "../net/first.js";
import { byId, cleanups } from "../views/dom.js";
import { mountNotice } from "../views/notice.js";
import { showProblem } from "../views/problem.js";
import { mountAddress } from "./address.js";
import { mountControls } from "./controls.js";
import { mountKeys } from "./keys.js";
import { makeLoader } from "./loader.js";
import { mountLook } from "./look.js";
import { mountViews } from "./views.js";
/** @typedef {import("../model/store.js").State} State */
/** @typedef {import("../model/walk.js").Walk} Walk */
/** @typedef {import("../model/url.js").Place} Place */

/** The Walk page: one state, one frame made from it, and views that all draw that frame. @returns {() => void} unmount */
export function mountWalkPage() {
  const undo = cleanups();
  const theme = document.documentElement.dataset.theme === "dark" ? "dark" : "light";
  const store = new Store({ ...firstPlace, theme, playing: false, speed: 4, projector: false });
  const predictions = new Predictions();
  const notice = mountNotice();
  const main = byId("walk");
  /** @type {Walk|null} */
  let walk = null;
  /** @type {ReturnType<typeof mountViews>|null} */
  let views = null;
  let shownQuestion = questionOf(store.state);

  const address = mountAddress((place) => visit(place));
  const look = mountLook(store);
  const player = new Player(advance, () => store.set({ playing: false }));
  const loader = makeLoader({ busy, arrived, failed });

  /** @param {State} state */
  function questionOf({ lesson, seed, exact }) {
    return { lesson, seed, exact };
  }

  /** @param {number} index @param {boolean} [jump] */
  function go(index, jump = false) {
    if (!walk) return;
    store.set(moveTo(store.state, walk.clamp(index)));
    if (jump) address.push(store.state);
    else address.replace(store.state);
  }

  /** @param {Partial<State>} change */
  function change(change) {
    store.set(change);
    address.replace(store.state);
  }

  /** @returns {boolean} whether there is another step to play */
  function advance() {
    if (!walk || (walk && frameOf(walk, store.state, predictions).asking)) return false;
    go(store.state.step + 1);
    return store.state.step < walk.steps.length - 1;
  }

  function togglePlay() {
    const playing = !store.state.playing && walk !== null;
    if (playing && walk && store.state.step >= walk.steps.length - 1) go(0);
    if (playing) player.start(store.state.speed);
    else player.stop();
    store.set({ playing });
  }

  /** @param {number} digit an answer while a question is open, else a speed */
  function digit(digit) {
    if (walk && frameOf(walk, store.state, predictions).asking) return answer(digit - 1);
    store.set({ speed: digit });
    if (player.playing) player.start(digit);
  }

  /** @param {number} choice */
  function answer(choice) {
    if (!walk || predictions.choose(walk.steps[store.state.step], choice) === null) return;
    store.set({});
    byId("step").focus({ preventScroll: true });
  }

  /** @param {string} name */
  function select(name) {
    if (!walk) return;
    const step = walk.stepFor(name, store.state.step);
    if (step !== null) return go(step, true);
    store.set({ node: name, cell: null, view: null });
    address.push(store.state);
  }

  /** @param {Partial<State>} question a new minibatch or other rules: the step stays */
  function ask(question) {
    store.set({ ...question, playing: false });
    player.stop();
    address.push(store.state);
    loader.load(questionOf(store.state));
  }

  /** @param {Place} place from Back or Forward */
  function visit(place) {
    store.set(place);
    if (JSON.stringify(questionOf(store.state)) !== JSON.stringify(shownQuestion)) loader.load(questionOf(store.state));
  }

  function busy() {
    main.setAttribute("aria-busy", "true");
    main.classList.toggle("stale", walk !== null);
    if (walk) notice.show("Walking again…", { label: "Cancel", act: cancel });
  }

  function cancel() {
    loader.cancel();
    change(shownQuestion);
    settle();
    notice.show("Cancelled: this is the walk from before.", null, 3);
  }

  function settle() {
    main.setAttribute("aria-busy", "false");
    main.classList.remove("stale");
    notice.hide();
  }

  /** @param {Walk} made */
  function arrived(made) {
    settle();
    byId("problem").hidden = true;
    byId("story").hidden = false;
    walk = made;
    byId("transport").inert = false;
    shownQuestion = questionOf(store.state);
    views?.unmount();
    views = mountViews(made, { go, select, answer, change, exact: toggleExact, play: togglePlay });
    store.set({ step: made.clamp(store.state.step) });
  }

  /** @param {import("../net/api.js").ApiError} error */
  function failed(error) {
    settle();
    main.classList.toggle("stale", walk !== null);
    byId("story").hidden = true;
    const reset = store.state.seed === null ? null : () => ask({ seed: null });
    showProblem(byId("problem"), error.problem, { retry: () => loader.load(questionOf(store.state)), reset });
  }

  function toggleExact() {
    ask({ exact: !store.state.exact });
  }

  async function share() {
    address.flush();
    try {
      await navigator.clipboard.writeText(location.href);
      notice.show("Link copied: it opens this very step.", null, 3);
    } catch {
      notice.show("Copying is not allowed here: the address bar holds the link.", null, 5);
    }
  }

  undo.add(store.subscribe((state, before) => {
    if (walk && views) views.update(frameOf(walk, state, predictions), state, before);
  }));
  const acts = {
    next: () => go(store.state.step + 1), back: () => go(store.state.step - 1), first: () => go(0, true),
    last: () => go((walk?.steps.length ?? 1) - 1, true), play: togglePlay, forward: () => go(0, true),
    backward: () => go(walk?.forwardCount ?? 0, true), exact: toggleExact, projector: look.toggleProjector,
    theme: look.toggleTheme, help: () => controls.help(), escape: () => { if (store.state.projector) look.toggleProjector(); }, digit,
  };
  const controls = mountControls(store, { ...acts, ask, change, share });
  undo.add(mountKeys(acts));
  for (const part of [controls, look, address, notice]) undo.add(part.unmount);
  undo.add(() => views?.unmount());
  undo.add(() => player.stop());
  loader.first();
  return undo.run;
}
