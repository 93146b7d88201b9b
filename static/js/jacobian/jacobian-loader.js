import { asApiError, calm, workOut } from "../shared/api.js";
import { latest } from "../shared/latest.js";
import { ask } from "../walk/walk-api.js";
import { holds } from "./jacobian.js";
import { blockByFormula } from "./worked-out-loader.js";
/** @typedef {import("./jacobian.js").Jacobian} Jacobian */
/** @typedef {import("./jacobian.js").Question} Question */
/** @typedef {import("./jacobian.js").TooLarge} TooLarge */
/** @typedef {import("../walk/types.js").Problem} Problem */

/** Milliseconds: whoever leafs through the examples asks for the one at which they stop. */
const CALM = 60;

workOut("/api/jacobian", blockByFormula);

/**
 * The local Jacobians of one walk: an answer is kept, and serves for every question about its block.
 * @param {import("../walk/walk.js").Walk} walk
 */
export function makeJacobianLoader(walk) {
  const requests = latest();
  /** @type {Map<string, (Jacobian|TooLarge)[]>} by node and input */
  const kept = new Map();

  /** @param {Question} question @param {AbortSignal} signal @returns {Promise<Jacobian|TooLarge>} */
  async function request(question, signal) {
    await calm(CALM);
    signal.throwIfAborted();
    return ask("/api/jacobian", walk, question, signal);
  }

  return {
    /** @param {Question} question @returns {Jacobian|TooLarge|null} what is known already */
    known: (question) => kept.get(pairOf(question))?.find((answer) => holds(answer, question)) ?? null,
    /**
     * @param {Question} question
     * @param {{arrived: (answer: Jacobian|TooLarge) => void, failed: (problem: Problem) => void}} hears
     */
    load(question, hears) {
      requests.ask((signal) => request(question, signal), {
        arrived(answer) {
          const pair = pairOf(question);
          kept.set(pair, [...(kept.get(pair) ?? []), answer]);
          hears.arrived(answer);
        },
        failed: (error) => hears.failed(asApiError(error, "").problem),
      });
    },
    stop: requests.stop,
    get busy() {
      return requests.busy;
    },
  };
}

/** @param {Question} question @returns {string} what an answer is about: a choice of axes has answers of its own */
function pairOf({ node, input, along }) {
  return `${node} ${input} ${along ?? ""}`;
}
