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
 * The same with what belongs to every step alone.
 * @param {string} request a JSON text @param {AbortSignal} [signal] @returns {Promise<WalkDocument>}
 * @throws {import("../shared/api.js").ApiError}
 */
export async function requestWhole(request, signal) {
  return (await retry(() => post("/api/walk?steps=all", request, signal), { signal })).json();
}

/**
 * The loss and a few tensors of a walk.
 * @param {string} request a JSON text @param {string[]} variables @param {AbortSignal} signal
 * @returns {Promise<any>} @throws {import("../shared/api.js").ApiError}
 */
export async function requestOnly(request, variables, signal) {
  const body = `${request.slice(0, -1)},"only":${JSON.stringify(variables)}}`;
  return (await retry(() => post("/api/walk", body, signal), { signal, quiet: true })).json();
}

/**
 * A further question about a walk.
 * @param {string} path @param {Pick<Walk, "request">} walk @param {object} question what it says besides the walk
 * @param {AbortSignal} signal
 * @returns {Promise<any>} @throws {import("../shared/api.js").ApiError}
 */
export async function ask(path, walk, question, signal) {
  const rest = JSON.stringify(question).slice(1);
  const body = `{"walk":${walk.request}${rest === "}" ? "" : ","}${rest}`;
  return (await retry(() => post(path, body, signal), { signal, quiet: true })).json();
}
