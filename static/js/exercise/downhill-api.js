import { post } from "../shared/api.js";
import { retry } from "../shared/retry.js";
/** @typedef {import("../plant/plant.js").Path} Path */

const STEPS = 10;

/**
 * @param {string} walk a walk request as JSON @param {{step: number, code: string}} written in the place of a step
 * @param {number} rate @param {AbortSignal} signal
 * @returns {Promise<Path>} both ways downhill @throws {import("../shared/api.js").ApiError}
 */
export async function requestDescent(walk, written, rate, signal) {
  const request = { walk: { ...JSON.parse(walk), plant: written }, rates: [rate], path: STEPS };
  const answer = await retry(() => post("/api/descent", request, signal), { signal });
  return (await answer.json()).paths[0];
}
