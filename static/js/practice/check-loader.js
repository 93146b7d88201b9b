import { asApiError } from "../shared/api.js";
import { latest } from "../shared/latest.js";
import { requestCheck } from "./practice-api.js";
/** @typedef {import("./attempts.js").Reply} Reply */
/** @typedef {import("./practice-api.js").Asked} Asked */

const HINT = "Reload it: what you wrote stays.";

/** Has answers checked, one at a time: a newer one takes the place of the one under way. */
export function makeCheckLoader() {
  const requests = latest();
  return {
    /**
     * @param {string} walk a walk request as JSON @param {Asked} asked
     * @param {{arrived: (reply: Reply) => void, failed: (problem: import("../walk/types.js").Problem) => void}} hears
     */
    check(walk, asked, { arrived, failed }) {
      requests.ask((signal) => requestCheck(walk, asked, signal), {
        arrived,
        failed: (error) => failed(asApiError(error, HINT).problem),
      });
    },
    cancel: requests.stop,
  };
}
