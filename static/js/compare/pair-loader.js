import { ApiError, asApiError, post } from "../shared/api.js";
import { retry } from "../shared/retry.js";
import { requestWalk } from "../walk/walk-api.js";
import { Walk } from "../walk/walk.js";
import { requestOf } from "./side-loader.js";
/** @typedef {import("./types.js").SideBySide} SideBySide */
/** @typedef {{walks: Walk[], comparison: SideBySide}} Pair two walks, and what their tensors have in common */

const HINT = "Reload it; if that does not help, the page and the server are of different versions.";

/**
 * Two walks by their links.
 * @param {string[]} links left and right @param {AbortSignal} signal @returns {Promise<Pair>} @throws {ApiError}
 */
export async function loadPair(links, signal) {
  const requests = await Promise.all(links.map((link, i) => told(i, () => requestOf(link))));
  const walks = Promise.all(
    requests.map((request, i) => told(i, async () => new Walk(await requestWalk(request, signal), request))),
  );
  return { walks: await walks, comparison: await compared(requests, signal) };
}

/** @param {string[]} requests left and right @param {AbortSignal} signal @returns {Promise<SideBySide>} */
async function compared([left, right], signal) {
  const body = `{"left":${left},"right":${right}}`;
  return (await retry(() => post("/api/comparison", body, signal), { signal })).json();
}

/** @template T @param {number} side of which an error says that it is about it @param {() => Promise<T>} run */
async function told(side, run) {
  try {
    return await run();
  } catch (error) {
    const { problem, status, retryAfter } = asApiError(error, HINT);
    const message = `${side ? "On the right" : "On the left"}: ${problem.message}`;
    throw new ApiError({ ...problem, message }, status, retryAfter);
  }
}
