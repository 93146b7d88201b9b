import { byId, cleanups } from "./dom.js";
/** @typedef {import("../model/frame.js").Frame} Frame */

/** The small print beside each heading, and the graph that folds away on a phone. */
export function mountPanes() {
  const undo = cleanups();
  const [graph, forward, backward, fold] = ["graph-note", "forward-note", "backward-note", "fold"].map(byId);
  const pane = /** @type {HTMLElement} */ (fold.closest(".graph-pane"));
  undo.on(fold, "click", () => {
    const open = pane.classList.toggle("open");
    fold.setAttribute("aria-expanded", String(open));
    fold.textContent = open ? "hide" : "show";
  });
  return {
    /** @param {Frame} frame */
    update({ step, state }) {
      const back = step.direction === "backward";
      graph.textContent = back ? "gradients · wider edge, larger gradient" : "values";
      forward.textContent = back ? "marked: the line it goes through" : "";
      backward.textContent = noteFor(back, state.predict);
    },
    unmount: undo.run,
  };
}

/** @param {boolean} back @param {boolean} predict */
function noteFor(back, predict) {
  if (!back) return "not yet computed";
  return predict ? "later lines are hidden: predict first" : "faded lines are still to come";
}
