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
    update({ step, state, walk }) {
      const back = step.direction === "backward";
      graph.textContent = back ? "gradients · wider edge, larger gradient" : "values";
      forward.textContent = back ? "marked: the line being differentiated" : "";
      backward.textContent = noteFor(back, state.predict, step.index === walk.steps.length - 1);
    },
    unmount: undo.run,
  };
}

/** @param {boolean} back @param {boolean} predict @param {boolean} last */
function noteFor(back, predict, last) {
  if (!back) return "not yet computed";
  if (last) return "all gradients are there";
  return predict ? "later lines: hidden until you answer" : "faded: still to come";
}
