import { NOTHING } from "./pick.js";
/** @typedef {import("./url.js").Place} Place */
/**
 * A number in the hand: the loss along it, as soon as that is known, and the changes made before it was taken. `way`
 * holds the value that it is being moved to and the pointer that moves it, which outlast the walk that they began in.
 * @typedef {{curve: import("../changes/curve.js").Curve|null, before: import("./changes.js").Change[],
 *   way: {value: number|null, pointer: number|null}}} Hand
 */
/**
 * @typedef {Place & {trail: import("./trail.js").Crumb[], playing: boolean, speed: number, theme: "light"|"dark",
 *   enlarged?: string|null, hand?: Hand|null, reach?: number[]|null,
 *   rate?: number}} State `rate`: with which a run goes on; `enlarged`: the node whose rounding is
 *   drawn as if it were more; `hand`: the number that is looked into can be moved; `reach`: see NOTHING
 */

/** The one place the page's state lives; whoever subscribes hears of every change. */
export class Store {
  /** @param {State} state */
  constructor(state) {
    this.state = state;
    /** @type {Set<(state: State, before: State) => void>} */
    this.listeners = new Set();
  }

  /** @param {(state: State, before: State) => void} listener @returns {() => void} unsubscribe */
  subscribe(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** @param {Partial<State>} change */
  set(change) {
    const before = this.state;
    this.state = { ...before, ...change };
    for (const listener of this.listeners) listener(this.state, before);
  }
}

/**
 * @param {State} state @param {number} index
 * @returns {Partial<State>} a move to another step drops what was picked by hand, and what lies over the walk
 */
export function moveTo(state, index) {
  if (index === state.step && !state.node && !state.sheet) return {};
  return { ...NOTHING, step: index, node: null, view: null, enlarged: null, sheet: null };
}
