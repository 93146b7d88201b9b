import { reducedMotion } from "../shared/dom/elements.js";
/** @typedef {import("./viewport.js").View} View */

/** Milliseconds that a glide takes. */
const TIME = 160;

/** What is looked at: moved at once, or over a moment where motion is welcome. @param {() => void} moved */
export function makeCamera(moved) {
  /** @type {View} */
  let view = { row: 0, col: 0, rows: 1, cols: 1 };
  /** @type {View|null} */
  let goal = null;
  let flight = 0;

  function stop() {
    cancelAnimationFrame(flight);
    goal = null;
  }

  /** @param {View} next at once */
  function go(next) {
    stop();
    view = next;
    moved();
  }

  /** @param {View} next */
  function glide(next) {
    if (reducedMotion()) return go(next);
    stop();
    const [from, start] = [view, performance.now()];
    goal = next;
    moved();
    const tick = (/** @type {number} */ now) => {
      const t = Math.min(1, Math.max(0, (now - start) / TIME));
      view = t === 1 ? next : between(from, next, t * (2 - t));
      if (t === 1) goal = null;
      moved();
      if (t < 1) flight = requestAnimationFrame(tick);
    };
    flight = requestAnimationFrame(tick);
  }

  return {
    go,
    glide,
    stop,
    /** @param {View} next without a word to anyone */
    set(next) {
      view = next;
    },
    get view() {
      return view;
    },
    /** Where a glide leads: what is asked for is what will be seen. */
    get ahead() {
      return goal ?? view;
    },
  };
}

/** @param {View} from @param {View} to @param {number} share @returns {View} */
function between(from, to, share) {
  const mix = (/** @type {keyof View} */ key) => from[key] + (to[key] - from[key]) * share;
  return { row: mix("row"), col: mix("col"), rows: mix("rows"), cols: mix("cols") };
}
