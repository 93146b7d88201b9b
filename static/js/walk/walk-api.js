import { post } from "../shared/api.js";
import { retry } from "../shared/retry.js";
/** @typedef {import("./types.js").WalkDocument} WalkDocument */
/** @typedef {import("./walk.js").Walk} Walk */

/**
 * @param {string} request a JSON text @param {AbortSignal} [signal] @returns {Promise<WalkDocument>}
 * @throws {import("../shared/api.js").ApiError}
 */
export async function requestWalk(request, signal) {
  return (await retry(() => post("/api/walk", request, signal), { signal })).json();
}

/**
 * A further question about a walk.
 * @param {string} path @param {Walk} walk @param {object} question what it says besides the walk
 * @param {AbortSignal} signal
 * @returns {Promise<any>} @throws {import("../shared/api.js").ApiError}
 */
export async function ask(path, walk, question, signal) {
  const body = `{"walk":${walk.request},${JSON.stringify(question).slice(1)}`;
  return (await retry(() => post(path, body, signal), { signal, quiet: true })).json();
}
