import { makePlantLoader } from "./plant-loader.js";
import { mountPlantView } from "./plant-view.js";
import { mountCost } from "./cost-view.js";
import { byId } from "../shared/dom/elements.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/store.js").State} State */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {{ask: (question: Partial<State>) => void, go: (step: number) => void}} Acts */

/** @type {import("./plant-view.js").List} */
const CLOSED = { open: false, choices: null, problem: null };

/**
 * A mistake on purpose: chosen from a list at a backward step, walked, and mended again.
 * @param {Walk} walk @param {Acts} acts
 */
export function mountPlantController(walk, acts) {
  const loader = makePlantLoader(walk);
  const { planted } = walk.document;
  /** @type {Frame|null} */
  let frame = null;
  let list = CLOSED;

  const mend = () => acts.ask({ plant: null });
  const view = mountPlantView(byId("plant"), {
    toggle,
    plant(mistake) {
      const step = frame?.step.index ?? 0;
      if (mistake === (planted?.step === step ? planted.mistake : null)) return close();
      acts.ask({ plant: mistake === null ? null : { step, mistake } });
    },
    mend,
    go: () => planted && acts.go(planted.step),
    cost: () => cost.open(),
  });
  const cost = mountCostDialog(walk, loader);

  function draw() {
    if (frame) view.update(frame, list);
  }

  /** @returns {boolean} whether there is a line here in which something can go wrong */
  function toggle() {
    if (!frame || frame.step.direction !== "backward" || frame.inspecting || frame.asking) return false;
    if (list.open) close();
    else open(frame.step.index);
    return true;
  }

  /** @param {number} step */
  function open(step) {
    list = { ...CLOSED, open: true };
    draw();
    loader.choices(step, {
      arrived(choices) {
        if (!list.open || frame?.step.index !== step) return;
        list = { ...list, choices };
        draw();
        view.focus();
      },
      failed(problem) {
        list = { ...list, problem };
        draw();
      },
    });
  }

  function close() {
    view.leave();
    list = CLOSED;
    draw();
  }

  return {
    /** @param {Frame} next */
    update: (next) => {
      if (frame && list.open && (next.step !== frame.step || next.inspecting || next.asking)) list = CLOSED;
      frame = next;
      draw();
    },
    toggle,
    /** @returns {boolean} whether there was a list to close, or a mistake to mend */
    shut() {
      if (list.open) close();
      else if (planted) mend();
      else return false;
      return true;
    },
    unmount: () => {
      loader.unmount();
      view.unmount();
      cost.unmount();
    },
  };
}

/**
 * What the planted mistake costs downhill, beside the right gradient.
 * @param {Walk} walk @param {ReturnType<typeof makePlantLoader>} loader
 */
function mountCostDialog(walk, loader) {
  const cost = mountCost(/** @type {HTMLDialogElement} */ (byId("plant-dialog")), byId("plant-cost"), (rate) =>
    loader.path(rate, { arrived, failed: cost.fail }),
  );

  /** @param {import("./plant.js").Path} path */
  function arrived(path) {
    cost.show(path, walk.node(walk.document.loss.name).variable);
  }
  return cost;
}
