import { whereabouts } from "../walk/whereabouts.js";
import { byId, cleanups, el } from "../shared/dom/elements.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {{back: () => void, next: () => void, play: () => void}} Acts */

/** Back, play, next, the speed and the count. @param {Acts} acts */
export function mountTransport(acts) {
  const undo = cleanups();
  const [back, play, next, speed, count, hint, where] = ["back", "play", "next", "speed", "count", "hint", "where"].map(
    byId,
  );
  undo.on(back, "click", acts.back);
  undo.on(play, "click", acts.play);
  undo.on(next, "click", acts.next);
  // all hints lie in one place and one is seen, so that the score beside them keeps its width
  hint.replaceChildren(...HINTS.map((text) => el("span", {}, text)));
  return {
    /** @param {Frame} frame */
    update({ step, walk, state }) {
      const last = walk.steps.length - 1;
      back.setAttribute("aria-disabled", String(step.index === 0));
      next.setAttribute("aria-disabled", String(step.index === last));
      play.setAttribute("aria-label", state.playing ? "Pause" : "Play");
      play.querySelector("use")?.setAttribute("href", state.playing ? "#i-pause" : "#i-play");
      speed.textContent = `speed ${state.speed}`;
      count.textContent = `${step.index + 1} / ${walk.steps.length}`;
      where.textContent = whereabouts(walk, step);
      where.className = `where is-${step.direction}`;
      count.style.minWidth = `${2 * String(walk.steps.length).length + 3}ch`;
      const shown = hintFor(step.index, walk.forwardCount, last);
      HINTS.forEach((text, i) => hint.children[i].toggleAttribute("data-away", text !== shown));
    },
    unmount: undo.run,
  };
}

const [TURN, END, USUAL] = [
  "→ turns around: backward",
  "the end · Home starts again",
  "← → step · Space plays · ? keys",
];
const HINTS = [USUAL, TURN, END];

/** @param {number} index @param {number} forward @param {number} last @returns {string} what to press next */
function hintFor(index, forward, last) {
  if (index === forward - 1) return TURN;
  return index === last ? END : USUAL;
}
