import { counted } from "../shared/plural.js";
import { byId, cleanups, el } from "../shared/dom/elements.js";
import { badgeDot } from "../walk/badge-view.js";
import { LEVELS } from "../walk/verdict-levels.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */

/** The small print beside each heading, and the graph that folds away on a phone. */
export function mountPanes() {
  const undo = cleanups();
  const [graph, forward, backward, fold] = ["graph-note", "forward-note", "backward-note", "fold"].map(byId);
  const pane = /** @type {HTMLElement} */ (fold.closest(".graph-pane"));
  const key = byId("badge-key");
  key.replaceChildren("Checked against PyTorch’s: ", ...badgeKey(), ".");
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
      key.classList.toggle("used", back);
      backward.title = back ? "" : COUNTS;
    },
    unmount: undo.run,
  };
}

/** What the badges say of a gradient, as far as a beginner meets them. */
const MEANT = { exact: "bit for bit", approximate: "but for rounding", wrong: "" };

/** @returns {(Node|string)[]} each badge's sign and word, and what it means */
function badgeKey() {
  return Object.entries(MEANT).flatMap(([level, means], i) => [
    i ? ", " : "",
    el("span", {}, badgeDot(level), LEVELS[level][1]),
    means && ` (${means})`,
  ]);
}

const COUNTS =
  "The first step is the loss’s own gradient, which is 1. " +
  "A tensor that is used twice takes two steps; a part of a line without a name has one of its own.";

/**
 * @param {import("../walk/walk.js").Walk} walk
 * @returns {string} how many gradients there will be, and in how many steps
 */
function countsOf({ document, steps, forwardCount }) {
  const { gradients } = document.summary;
  return `${counted(gradients, "gradient")} in ${counted(steps.length - forwardCount, "step")}`;
}

/** @param {import("../walk/store.js").State} state @param {boolean} last */
function noteFor({ predict, writeIt }, last) {
  if (last) return "every gradient is there";
  if (writeIt) return "later lines: hidden until you write them";
  return predict ? "later lines: hidden until you answer" : "faded: still to come";
}
