import { mountCost } from "../plant/cost-view.js";
import { asApiError } from "../shared/api.js";
import { latest } from "../shared/latest.js";
import { byId } from "../shared/dom/elements.js";
import { requestDescent } from "./downhill-api.js";
/** @typedef {import("../walk/walk.js").Walk} Walk */

const HINT = "Reload the page: what you wrote stays.";

/** Ten steps downhill with a gradient as it was written, beside the right ones. @param {Walk} walk */
export function mountDownhill(walk) {
  const requests = latest();
  let written = { step: 0, code: "" };
  const cost = mountCost(/** @type {HTMLDialogElement} */ (byId("plant-dialog")), byId("plant-cost"), (rate) =>
    requests.ask((signal) => requestDescent(walk.request, written, rate, signal), {
      arrived: (path) => cost.show(path, walk.node(walk.document.loss.name).variable),
      failed: (error) => cost.fail(asApiError(error, HINT).problem),
    }),
  );
  return {
    /** @param {number} step that it takes the place of @param {string} code */
    open(step, code) {
      written = { step, code };
      cost.open();
    },
    unmount() {
      requests.stop();
      cost.unmount();
    },
  };
}
