import { motionTime } from "../walk/tempo.js";
import { cleanups, reducedMotion } from "../shared/dom/elements.js";
/** @typedef {import("../walk/store.js").State} State */

/** Milliseconds: steps that follow each other faster are leafed through, not looked at. */
const LEAFING = 150;

/**
 * When and how fast what a step moves is moved: forwards on the way on, backwards on the way back.
 * @param {(how: {duration: number, backwards: boolean}, step: number) => void} play `step`: the one that is walked
 */
export function mountMotion(play) {
  const undo = cleanups();
  let held = false;
  let last = -Infinity;
  undo.on(document, "keydown", (event) => (held = event.repeat));
  undo.on(document, "keyup", () => (held = false));

  return {
    /** @param {State} state @param {State} before */
    moved({ step, speed }, before) {
      if (step === before.step) return;
      const leafing = performance.now() - last < LEAFING;
      last = performance.now();
      if (held || leafing || reducedMotion()) return;
      const backwards = step === before.step - 1;
      play({ duration: motionTime(speed), backwards }, backwards ? before.step : step);
    },
    /** @param {State} state @returns {boolean} whether anything may move */
    replay({ step, speed }) {
      if (reducedMotion()) return false;
      play({ duration: motionTime(speed), backwards: false }, step);
      return true;
    },
    unmount: undo.run,
  };
}
