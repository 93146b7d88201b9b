import { byId, cleanups } from "./dom.js";
/** @typedef {import("../model/frame.js").Frame} Frame */
/** @typedef {{back: () => void, next: () => void, play: () => void}} Acts */

/** Back, play, next, the speed and the count. @param {Acts} acts */
export function mountTransport(acts) {
  const undo = cleanups();
  const [back, play, next, speed, count, hint] = ["back", "play", "next", "speed", "count", "hint"].map(byId);
  undo.on(back, "click", acts.back);
  undo.on(play, "click", acts.play);
  undo.on(next, "click", acts.next);
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
      hint.textContent = hintFor(step.index, walk.forwardCount, last);
    },
    unmount: undo.run,
  };
}

/** @param {number} index @param {number} forward @param {number} last @returns {string} what to press next */
function hintFor(index, forward, last) {
  if (index === forward - 1) return "→ turns around: backward";
  if (index === last) return "the end · Home starts again";
  return "← → step · Space plays · ? keys";
}
