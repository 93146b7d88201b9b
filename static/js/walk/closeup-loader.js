import { isCoarse, refine, shownAt } from "./closeup.js";
import { ApiError } from "../shared/api.js";
import { ask } from "./walk-api.js";
/** @typedef {import("./types.js").Step} Step */
/** @typedef {import("./walk.js").Walk} Walk */
/** @typedef {{step: Step, name: string}} Place a step, and the tensor beside it */

/**
 * Asks for the tensors of the step that is looked at, where a long walk brought them as blocks, then for those of the
 * step after it. One question at a time; where no answer comes the blocks stay, until somebody comes back to them.
 * @param {Walk} walk @param {(index: number) => void} arrived
 */
export function makeCloseupLoader(walk, arrived) {
  const stop = new AbortController();
  /** @type {Set<string>} */
  const asked = new Set();
  /** @type {Place[]} */
  let wanted = [];
  let running = false;

  /** @param {Place} place */
  const keyOf = ({ step, name }) => `${step.index} ${name}`;

  /** @returns {Place|undefined} */
  function next() {
    return wanted.find((place) => !asked.has(keyOf(place)) && isCoarse(walk, place.step, place.name));
  }

  async function run() {
    running = true;
    for (let place = next(); place && !stop.signal.aborted; place = next()) {
      asked.add(keyOf(place));
      await fetchIt(place);
    }
    running = false;
  }

  /** @param {Place} place */
  async function fetchIt({ step, name }) {
    try {
      refine(walk, await ask("/api/step", walk, { index: step.index, nodes: shownAt(walk, step, name) }, stop.signal));
      if (!stop.signal.aborted) arrived(step.index);
    } catch (error) {
      if (!stop.signal.aborted && !(error instanceof ApiError)) console.error(error);
    }
  }

  return {
    /** @param {Step} step @param {string} name */
    look(step, name) {
      const after = walk.steps[step.index + 1];
      wanted = [{ step, name }, ...(after ? [{ step: after, name: after.node }] : [])];
      asked.delete(keyOf(wanted[0]));
      if (!running) run();
    },
    unmount: () => stop.abort(),
  };
}
