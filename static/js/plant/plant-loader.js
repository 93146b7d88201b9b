import { ask } from "../walk/walk-api.js";
import { asApiError } from "../shared/api.js";
import { latest } from "../shared/latest.js";
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("../walk/types.js").Problem} Problem */
/** @typedef {import("./plant.js").Choices} Choices */
/** @typedef {import("./plant.js").Path} Path */

const STEPS = 10;
const HINT = "Reload the page.";

/** What can be planted at a step, and what the planted mistake costs downhill. @param {Walk} walk */
export function makePlantLoader(walk) {
  const [lists, descents] = [latest(), latest()];
  /** @type {Map<number, Choices>} */
  const known = new Map();
  /** @type {Map<number, Path>} */
  const paths = new Map();

  return {
    /** @param {number} step @param {{arrived: (found: Choices) => void, failed: (problem: Problem) => void}} hears */
    choices(step, { arrived, failed }) {
      const there = known.get(step);
      if (there) return arrived(there);
      lists.ask((signal) => ask("/api/mistakes", walk, { step }, signal), {
        arrived(found) {
          known.set(step, found);
          arrived(found);
        },
        failed: (error) => failed(asApiError(error, HINT).problem),
      });
    },
    /** @param {number} rate @param {{arrived: (path: Path) => void, failed: (problem: Problem) => void}} hears */
    path(rate, { arrived, failed }) {
      const there = paths.get(rate);
      if (there) return arrived(there);
      descents.ask((signal) => ask("/api/descent", walk, { rates: [rate], path: STEPS }, signal), {
        arrived(found) {
          paths.set(rate, found.paths[0]);
          arrived(found.paths[0]);
        },
        failed: (error) => failed(asApiError(error, HINT).problem),
      });
    },
    unmount() {
      lists.stop();
      descents.stop();
    },
  };
}
