import { NOTHING } from "../walk/pick.js";
import { moveTo } from "../walk/store.js";
import { byId } from "../shared/dom/elements.js";
/** @typedef {import("../walk/store.js").State} State */

/**
 * Where one goes in the walk that is there: each move changes the state, and the address with it.
 * @param {import("./walk-controller.js").Page} page @param {() => void} pause
 */
export function makeMoves(page, pause) {
  const { store, address } = page;

  /** @param {number} index @param {boolean} [jump] */
  function go(index, jump = false) {
    if (!page.shown) return;
    store.set(moveTo(store.state, page.shown.walk.clamp(index)));
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

  /** @param {string} name */
  function select(name) {
    if (!page.shown) return;
    const step = page.shown.walk.stepFor(name, store.state.step);
    if (step !== null) return go(step, true);
    store.set({ ...NOTHING, node: name, view: null });
    address.push(store.state);
  }

  /** The line that was to be written takes its place, or the answer that of its question. */
  function written() {
    store.set({});
    byId("step").focus({ preventScroll: true });
  }

  /** @param {number} choice */
  function answer(choice) {
    const step = page.shown?.walk.steps[store.state.step];
    if (step && page.predictions.choose(step, choice) !== null) written();
  }

  return {
    go,
    change,
    jump,
    select,
    answer,
    written,
    next: () => go(store.state.step + 1),
    back: () => go(store.state.step - 1),
    first: () => go(0, true),
    last: () => go((page.shown?.walk.steps.length ?? 1) - 1, true),
    forward: () => go(0, true),
    backward: () => go(page.shown?.walk.forwardCount ?? 0, true),
  };
}
