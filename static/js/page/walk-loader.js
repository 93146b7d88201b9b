import { asApiError } from "../shared/api.js";
import { latest } from "../shared/latest.js";
import { requestWalk } from "../walk/walk-api.js";
import { fetchNear } from "./steps-loader.js";
import { Walk } from "../walk/walk.js";
/** @typedef {import("../walk/types.js").WalkDocument} WalkDocument */
/**
 * `placeFor` says where a walk is looked at first: it arrives with what is shown there.
 * @typedef {{busy: () => void, placeFor: (walk: Walk) => import("../walk/store.js").State,
 *   arrived: (walk: Walk) => void, failed: (error: import("../shared/api.js").ApiError) => void}} Hears
 */

const HINT = "Reload it; if that does not help, the page and the server are of different versions.";

/** Asks for walks; only the latest counts. @param {Hears} hears */
export function makeWalkLoader(hears) {
  const requests = latest();

  /**
   * @param {string} request @param {(signal: AbortSignal) => Promise<WalkDocument>} run
   * @param {AbortController} [controller]
   */
  function start(request, run, controller) {
    requests.ask(
      async (signal) => {
        const walk = new Walk(await run(signal), request);
        await fetchNear(walk, hears.placeFor(walk), signal);
        return walk;
      },
      { arrived: hears.arrived, failed: (error) => hears.failed(asApiError(error, HINT)) },
      controller,
    );
    hears.busy();
  }

  return {
    /** @param {string} request */
    load(request) {
      start(request, (signal) => requestWalk(request, signal));
    },
    /**
     * That of the page's first walk left before this code arrived.
     * @param {string} request @param {Promise<WalkDocument>} answer @param {AbortController} controller
     */
    follow(request, answer, controller) {
      start(request, () => answer, controller);
    },
    cancel: requests.stop,
  };
}
