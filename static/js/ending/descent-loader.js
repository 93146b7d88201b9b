import { ask } from "../walk/walk-api.js";
import { ApiError } from "../shared/api.js";
import { latest } from "../shared/latest.js";
import { RATES } from "../walk/rates.js";
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("./ending.js").Descent} Descent */

/** Asks once what a step of gradient descent does to a walk's loss. @param {Walk} walk @param {() => void} changed */
export function makeDescentLoader(walk, changed) {
  const request = latest();
  /** @type {Descent|null} */
  let descent = null;
  let coming = false;
  // with a mistake in it, what a step does is shown beside the right one
  let asked =
    walk.document.planted !== null || !walk.document.nodes.some((node) => node.role === "parameter" && node.gradient);

  return {
    /** @returns {Descent|null} null as long as it isn't known, and where no parameter has a gradient */
    get descent() {
      if (!asked) load();
      return descent;
    },
    /** @returns {boolean} whether it is on its way */
    get coming() {
      return coming;
    },
    unmount: request.stop,
  };

  function load() {
    asked = coming = true;
    request.ask((signal) => ask("/api/descent", walk, { rates: RATES }, signal), {
      arrived(found) {
        descent = found;
        coming = false;
        changed();
      },
      failed(error) {
        if (!(error instanceof ApiError)) throw error;
        coming = false;
        changed();
      },
    });
  }
}
