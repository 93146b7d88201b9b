import { asApiError } from "../shared/api.js";
import { isNothing, lacking, receive } from "../walk/parts.js";
import { ask } from "../walk/walk-api.js";
/** @typedef {import("../walk/store.js").State} State */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {{arrived: () => void, failed: (error: import("../shared/api.js").ApiError) => void}} Hears */

/** Steps after the one that is looked at: asked for with it, and again once fewer than so many of them are there. */
const AHEAD = { most: 4, least: 2 };

/**
 * @param {Walk} walk @param {State} state @param {number} from @param {number} to
 * @returns {import("../walk/parts.js").Lack} what has not come yet of the steps near the one that is looked at
 */
function lackNear(walk, state, from, to) {
  const here = walk.clamp(state.step);
  const places = Array.from({ length: to - from + 1 }, (_, i) => walk.clamp(here + from + i));
  return lacking(walk, [...new Set(places)], state.node, state.predict);
}

/**
 * What is shown at a step, and at its neighbours, unless a walk that came whole has it.
 * @param {Walk} walk @param {State} state @param {AbortSignal} signal @throws {import("../shared/api.js").ApiError}
 */
export async function fetchNear(walk, state, signal) {
  const lack = lackNear(walk, state, -1, AHEAD.most);
  if (!isNothing(lack)) receive(walk, await ask("/api/steps", walk, lack, signal));
}

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

  /** @param {State} state @returns {boolean} whether its step can be drawn */
  function has(state) {
    return isNothing(lackNear(walk, state, 0, 0));
  }

  async function run() {
    running = true;
    try {
      while (looked && !isNothing(lackNear(walk, looked, -1, AHEAD.least))) {
        await fetchNear(walk, looked, stop.signal);
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
