import { mountChances } from "../changes/chances-view.js";
import { reducedMotion } from "../shared/dom/elements.js";
import { swingWords } from "./wobble.js";
/** @typedef {import("./wobble.js").Swing} Swing */

/** How much of the bars' height the class that moves most goes up or down. */
const WIDEST = 0.25;

/**
 * The probabilities of one example as bars, of which each goes up and down as far as a nudge moves it; where less
 * motion is asked for they stand where the nudge brings them, beside where they were.
 */
export function mountSwing() {
  const chances = mountChances();
  return {
    root: chances.root,
    /** @param {Swing} swing @param {import("./wobble-view.js").Marking["wave"]} wave @param {number} delay */
    begin(swing, wave, delay) {
      const top = chances.update(swing, swingWords(swing));
      const largest = Math.max(...swing.moves.map(Math.abs)) || 1;
      for (const [i, bar] of chances.solids().entries()) {
        const [rests, goes] = [swing.shares[i] / top, (WIDEST * swing.moves[i]) / largest];
        const at = (/** @type {number} */ height) => `scaleY(${Math.max(0, height).toFixed(4)})`;
        if (reducedMotion()) bar.style.transform = at(rests + goes);
        else if (goes) wave(bar, [rests, rests + goes, rests - goes, rests].map(at), delay);
      }
    },
    hide: () => chances.forget(false),
    unmount: () => chances.unmount(),
  };
}
