import { mountCosts } from "./costs-view.js";
import { ask } from "../walk/walk-api.js";
import { asApiError } from "../shared/api.js";
import { latest } from "../shared/latest.js";
/** @typedef {import("../walk/walk.js").Walk} Walk */

/**
 * The dialog of what each line costs, with its requests.
 * @param {{go: (index: number) => void, closed: () => void}} acts
 */
export function mountCostsDialog({ go, closed }) {
  const requests = latest();
  /** @type {Walk|null} */
  let walk = null;
  /** @type {import("./costs.js").LineCosts|null} */
  let kept = null;
  const view = mountCosts({ go, again: load, closed: left });

  function left() {
    requests.stop();
    closed();
  }

  /** @param {string[]} again */
  function load(again) {
    const subject = /** @type {Walk} */ (walk);
    requests.ask((signal) => ask("/api/costs", subject, again.length ? { again } : {}, signal), {
      arrived(costs) {
        kept = again.length ? kept : costs;
        view.show(subject, costs, kept ?? costs);
      },
      failed: (error) => view.fail(asApiError(error, "Reload it.").problem),
    });
  }

  return {
    /** @param {Walk} shown */
    open(shown) {
      walk = shown;
      view.wait();
      load([]);
    },
    close: view.close,
    unmount() {
      requests.stop();
      view.unmount();
    },
  };
}
