import { ask } from "../walk/walk-api.js";
import { latest } from "../shared/latest.js";
/** @typedef {import("./curve.js").Curve} Curve */

/**
 * Asks for the loss along a number that is taken in the hand.
 * @param {Pick<import("../walk/walk.js").Walk, "request">} walk
 * @param {{curve: (curve: Curve) => void, failed: (error: unknown) => void}} hears
 * @param {import("./curve.js").Within|null} [within] from where to where, if not around where it is
 */
export function makeCurveLoader(walk, hears, within = null) {
  const curves = latest();
  return {
    /** @param {string} tensor @param {number[]} index */
    along(tensor, index) {
      const run = (/** @type {AbortSignal} */ signal) => ask("/api/curve", walk, { tensor, index, within }, signal);
      curves.ask(run, { arrived: hears.curve, failed: hears.failed });
    },
    unmount: curves.stop,
  };
}
