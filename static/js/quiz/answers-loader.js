import { ApiError } from "../shared/api.js";
import { ask } from "../walk/walk-api.js";
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("../walk/types.js").StepTensors} StepTensors */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {{chosen: Tensor, right: Tensor}} Both */

/**
 * What a chosen answer computes, and what the right one does, asked for when a wrong answer was given.
 * @param {Walk} walk @param {() => void} arrived
 */
export function makeAnswersLoader(walk, arrived) {
  const stop = new AbortController();
  /** @type {Map<string, Both|null>} */
  const known = new Map();

  /** @param {string} key @param {number} index @param {number} choice */
  async function fetchIt(key, index, choice) {
    try {
      /** @type {StepTensors} */
      const sent = await ask("/api/step", walk, { index, nodes: [], choice }, stop.signal);
      const [chosen, right] = sent.chosen;
      if (!chosen || !right || stop.signal.aborted) return;
      known.set(key, { chosen: walk.tensor(chosen), right: walk.tensor(right) });
      arrived();
    } catch (error) {
      known.delete(key); // asked again at the next visit
      if (!stop.signal.aborted && !(error instanceof ApiError)) console.error(error);
    }
  }

  return {
    /** @param {number} index @param {number} choice @returns {Both|null} null until the answer is there */
    of(index, choice) {
      const key = `${index} ${choice}`;
      if (!known.has(key)) {
        known.set(key, null);
        fetchIt(key, index, choice);
      }
      return known.get(key) ?? null;
    },
    unmount: () => stop.abort(),
  };
}
