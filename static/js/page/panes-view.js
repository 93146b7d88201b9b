import { counted } from "../shared/plural.js";
import { byId, cleanups } from "../shared/dom/elements.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */

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
      graph.textContent = back ? "gradients" : "values";
      forward.textContent = back ? "differentiated now" : "the graph as lines";
      backward.textContent = back ? noteFor(state, step.index === walk.steps.length - 1) : countsOf(walk);
    },
    unmount: undo.run,
  };
}

/**
 * @param {import("../walk/walk.js").Walk} walk
 * @returns {string} how many gradients there will be, and in how many steps
 */
function countsOf({ document, steps, forwardCount }) {
  const { gradients } = document.summary;
  return `${counted(gradients, "gradient")}, ${counted(steps.length - forwardCount, "step")}`;
}

/** @param {import("../walk/store.js").State} state @param {boolean} last */
function noteFor({ predict, writeIt }, last) {
  if (last) return "every gradient is there";
  if (writeIt) return "later lines: hidden until you write them";
  return predict ? "later lines: hidden until you answer" : "faded: still to come";
}
