import { ApiError, requestWalk } from "../shared/api.js";
import { Walk } from "../walk/walk.js";
/** @typedef {import("../walk/types.js").WalkDocument} WalkDocument */
/** @typedef {{busy: () => void, arrived: (walk: Walk) => void, failed: (error: ApiError) => void}} Hears */

/**
 * Asks for walks, one at a time: a newer question or `cancel` aborts the one under way.
 * @param {Hears} hears
 */
export function makeWalkLoader(hears) {
  /** @type {AbortController|null} */
  let running = null;

  /** @param {string} request @param {Promise<WalkDocument>} answer @param {AbortController} mine */
  async function follow(request, answer, mine) {
    running = mine;
    hears.busy();
    try {
      const document = await answer;
      if (running !== mine) return;
      hears.arrived(new Walk(document, request));
      if (running === mine) running = null;
    } catch (error) {
      if (running !== mine) return;
      running = null;
      if (!mine.signal.aborted) hears.failed(asApiError(error));
    }
  }

  return {
    /** A request that has left already: that of the page's first walk does before this code arrives. */
    follow,
    /** @param {string} request */
    load(request) {
      running?.abort();
      const mine = new AbortController();
      follow(request, requestWalk(request, mine.signal), mine);
    },
    cancel() {
      running?.abort();
      running = null;
    },
  };
}

/** @param {unknown} error @returns {ApiError} */
function asApiError(error) {
  if (error instanceof ApiError) return error;
  console.error(error);
  return new ApiError({ code: "page", message: "This page could not read the server's answer.", hint: "Reload it; if that does not help, the page and the server are of different versions." }, 0);
}
