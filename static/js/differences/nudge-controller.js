import { asApiError } from "../shared/api.js";
import { latest } from "../shared/latest.js";
import { ask } from "../walk/walk-api.js";
import { mountNudge } from "./nudge-view.js";
/** @typedef {import("./differences.js").Nudge} Nudge */

/**
 * The dialog that nudges one gradient, with its requests.
 * @param {(nudge: Nudge) => void} found hears of every answer about a direction
 */
export function mountNudgeDialog(found) {
  const requests = latest();
  return mountNudge({
    found,
    stop: requests.stop,
    load(walk, question, { arrived, failed }) {
      requests.ask((signal) => ask("/api/numeric", walk, question, signal), {
        arrived,
        failed: (error) => failed(asApiError(error, "Reload it.").problem),
      });
    },
  });
}
