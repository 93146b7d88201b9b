import { layerOf } from "./layers.js";
import { Tensor } from "../shared/tensor.js";
import { cellsIn, meet } from "./viewport.js";
import { asApiError } from "../shared/api.js";
import { latest } from "../shared/latest.js";
import { ask } from "../walk/walk-api.js";
/** @typedef {import("./layers.js").Layers} Layers */
/** @typedef {import("../walk/types.js").Problem} Problem */
/** @typedef {import("./viewport.js").Cells} Cells */
/** @typedef {import("./viewport.js").View} View */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {{tensor: string, which: string, step?: number}} Question which numbers of the walk are looked at */

/**
 * Asks for the windows of one tensor that a view needs, one at a time. A window on its way that no longer shows
 * anything of the view is given up; one that still does may arrive, because what is around it is asked for next.
 * @param {Walk} walk @param {Question|null} question null where the server knows no name for it
 * @param {Layers} layers @param {{arrived: () => void, failed: (problem: Problem) => void}} hears
 */
export function makeWindowLoader(walk, question, layers, hears) {
  const requests = latest();
  /** @type {Cells} the window on its way */
  let coming = [0, 0, 0, 0];
  /** @type {View|null} */
  let view = null;
  let broken = false;

  /** @param {Cells} cells */
  function load(cells) {
    coming = cells;
    requests.ask((signal) => ask("/api/tensor", walk, { ...question, window: cells }, signal), {
      arrived({ window: sent, tensor }) {
        layers.add(layerOf(sent, new Tensor(tensor)));
        hears.arrived();
        if (view) look(view);
      },
      failed(error) {
        broken = true;
        hears.failed(asApiError(error, "").problem);
      },
    });
  }

  /** What is looked at now, once a frame. @param {View} now */
  function look(now) {
    view = now;
    if (!question || broken) return;
    const cells = layers.wanted(now);
    if (requests.busy && cells && !meet(coming, cellsIn(now, layers.sheet))) requests.stop();
    if (cells && !requests.busy) load(cells);
  }

  return {
    look,
    stop: requests.stop,
    get busy() {
      return requests.busy;
    },
    /** After a failure. */
    again() {
      broken = false;
      if (view) look(view);
    },
  };
}
