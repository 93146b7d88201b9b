import { asApiError } from "../shared/api.js";
import { isNothing, lacking, receive } from "../walk/parts.js";
import { ask } from "../walk/walk-api.js";
/** @typedef {import("../walk/store.js").State} State */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {{arrived: () => void, failed: (error: import("../shared/api.js").ApiError) => void}} Hears */

/** Steps after the one that is looked at: asked for with it, and again once fewer than so many of them are there. */
const AHEAD = { most: 4, least: 2 };

/**
 * Asks for what belongs to the step that is looked at, and to its neighbours, so that no key press waits. One question
 * at a time; `arrived` hears when a step that could not be drawn can be.
 * @param {Walk} walk @param {Hears} hears
 */
export function makeStepsLoader(walk, hears) {
  const stop = new AbortController();
  /** @type {State|null} */
  let looked = null;
  let running = false;
  let missed = false;

  /** @param {State} state @param {number} from @param {number} to of the steps near it, both included */
  function lack(state, from, to) {
    const here = walk.clamp(state.step);
    const places = Array.from({ length: to - from + 1 }, (_, i) => walk.clamp(here + from + i));
    return lacking(walk, [...new Set(places)], state.node, state.predict);
  }

  /** @param {State} state @returns {boolean} whether its step can be drawn */
  function has(state) {
    return isNothing(lack(state, 0, 0));
  }

  /** @returns {import("../walk/parts.js").Lack|null} what is asked for next */
  function next() {
    if (!looked || (has(looked) && isNothing(lack(looked, -1, AHEAD.least)))) return null;
    return lack(looked, -1, AHEAD.most);
  }

  async function run() {
    running = true;
    try {
      for (let wanted = next(); wanted; wanted = next()) {
        receive(walk, await ask("/api/steps", walk, wanted, stop.signal));
        tell();
      }
    } catch (error) {
      if (looked && !stop.signal.aborted && !has(looked)) hears.failed(asApiError(error, "Reload the page."));
    }
    running = false;
  }

  function tell() {
    if (!missed || !looked || stop.signal.aborted || !has(looked)) return;
    missed = false;
    hears.arrived();
  }

  return {
    /** @param {State} state @returns {boolean} whether its step can be drawn; else `arrived` hears when it can */
    look(state) {
      looked = state;
      missed = !has(state);
      if (!running) run();
      return !missed;
    },
    unmount: () => stop.abort(),
  };
}
