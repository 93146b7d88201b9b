import { shownAt } from "../walk/closeup.js";
import { post } from "../shared/api.js";
import { retry } from "../shared/retry.js";
import { beginRun, programOf, requestIn, weightsOfRun } from "../run/training-api.js";
import { inputsOf, onOwnInputs } from "./own-inputs.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/types.js").StepTensors} StepTensors */
/** @typedef {import("../walk/walk.js").Walk} Walk */

/** More steps than anybody waits for: whoever goes downhill from a walk says when it is enough. */
const STEPS = 1_000_000;

/** Characters of a request that a server takes: with more numbers nothing can be asked about a step. */
const LONGEST = 250_000;

/**
 * The run that goes on from a walk's numbers, and what the walk becomes with the run's weights.
 * @param {Walk} walk @param {string} data that it is trained on
 */
export function makeRunLoader(walk, data) {
  // never used: a request that is aborted takes its worker along
  const { signal } = new AbortController();
  const inputs = inputsOf(walk);
  const isOwn = data === "own";
  /** @type {Promise<string>|null} */
  let own = null;

  function ownProgram() {
    own ??= programOf(walk.request, signal);
    own.catch(() => (own = null));
    return own;
  }

  /** @param {string} run @returns {Promise<{taken: number, request: string|null}>} on the walk's own inputs */
  async function weights(run) {
    // a run on its own tensors has no other inputs than the walk's
    const [text, mine] = await Promise.all([weightsOfRun(run), isOwn ? "" : ownProgram()]);
    const taken = Number(/"step":(\d+)/.exec(text)?.[1]);
    const request = onOwnInputs(requestIn(text), mine, inputs);
    return { taken, request: request.length > LONGEST ? null : request };
  }

  return {
    weights,
    /** @param {number} rate @param {AbortSignal} stop @returns {Promise<string>} the id of a run that waits */
    async begin(rate, stop) {
      const rest = { data, steps: STEPS, paused: true, schedule: { name: "constant", lr: rate } };
      // its own tensors begin as the request has them, however many numbers that stands for
      const program = isOwn ? walk.request : await ownProgram();
      return beginRun(`{"walk":${program},${JSON.stringify(rest).slice(1)}`, stop);
    },
    /**
     * @param {string} run @param {Frame} frame
     * @returns {Promise<{taken: number, index: number, shown: StepTensors|null}>} what the step that is walked shows by
     *   now; nothing of a network with too many numbers
     */
    async look(run, { step, node }) {
      const { taken, request } = await weights(run);
      if (request === null) return { taken, index: step.index, shown: null };
      const place = { index: step.index, nodes: shownAt(walk, step, node.name), thumbnails: true };
      const answer = await retry(() => post("/api/step", `{"walk":${request},${JSON.stringify(place).slice(1)}`), {
        quiet: true,
      });
      return { taken, index: step.index, shown: await answer.json() };
    },
  };
}
