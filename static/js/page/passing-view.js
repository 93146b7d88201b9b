import { reducedMotion } from "../shared/dom/elements.js";
/** @typedef {import("./player.js").Passing} Passing */

/** The cell of the step that is played fills while its time passes; not where nothing is to move. */
export function mountPassing() {
  /** @type {Animation|undefined} */
  let filling;
  return {
    /** @param {Passing|null} time @param {number} step */
    show(time, step) {
      filling?.cancel();
      if (!time || reducedMotion()) return;
      const { left, whole, runs } = time;
      const filled = [100 * (1 - left / (whole || 1)), 100].map((percent) => `${percent}% 100%`);
      const cell = document.querySelector(`#scrubber .tick[data-step="${step}"]`);
      filling = cell?.animate({ backgroundSize: filled }, { duration: left });
      if (!runs) filling?.pause();
    },
    unmount: () => filling?.cancel(),
  };
}
