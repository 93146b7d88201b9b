import { layerOf } from "./layers.js";
import { Tensor } from "../shared/tensor.js";
import { cellsIn, meet } from "./viewport.js";
import { ApiError } from "../shared/api.js";
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
  /** @type {{cells: Cells, request: AbortController}|null} */
  let running = null;
  /** @type {View|null} */
  let latest = null;
  let broken = false;

  /** @param {Cells} cells */
  async function fetchIt(cells) {
    const mine = (running = { cells, request: new AbortController() });
    try {
      const { window, tensor } = await ask("/api/tensor", walk, { ...question, window: cells }, mine.request.signal);
      layers.add(layerOf(window, new Tensor(tensor)));
      if (running !== mine) return;
      running = null;
      hears.arrived();
      if (latest) look(latest);
    } catch (error) {
      if (running !== mine) return;
      running = null;
      if (mine.request.signal.aborted) return;
      broken = true;
      if (!(error instanceof ApiError)) console.error(error);
      hears.failed(error instanceof ApiError ? error.problem : { code: "page", message: "This page could not read the server's answer." });
    }
  }

  /** What is looked at now, once a frame. @param {View} view */
  function look(view) {
    latest = view;
    if (!question || broken) return;
    const cells = layers.wanted(view);
    if (running && cells && !meet(running.cells, cellsIn(view, layers.sheet))) stop();
    if (cells && !running) fetchIt(cells);
  }

  function stop() {
    running?.request.abort();
    running = null;
  }

  return {
    look, stop,
    get busy() {
      return running !== null;
    },
    /** After a failure. */
    again() {
      broken = false;
      if (latest) look(latest);
    },
  };
}
