import { latest } from "../shared/latest.js";
import { ask, requestWalk } from "../walk/walk-api.js";
/** @typedef {{step: number, code: string}} Line a backward line, and its step in the walk, counted from 0 */
/** @typedef {import("../plant/plant.js").Choices} Choices */

/** The backward lines of what is trained, and what can go wrong in each. @param {() => Promise<string>} request */
export function makeMistakesLoader(request) {
  const [lines, lists] = [latest(), latest()];
  /** @type {Line[]|null} */
  let known = null;
  /** @type {Map<number, Choices>} */
  const found = new Map();

  return {
    /** @param {{arrived: (lines: Line[]) => void, failed: (error: unknown) => void}} hears */
    lines(hears) {
      if (known) return hears.arrived(known);
      lines.ask(
        async (signal) => {
          const { steps } = await requestWalk(await request(), signal);
          return steps
            .filter(({ direction }) => direction === "backward")
            .map(({ index, code }) => ({ step: index, code }));
        },
        { ...hears, arrived: (all) => hears.arrived((known = all)) },
      );
    },
    /** @param {number} step @param {{arrived: (choices: Choices) => void, failed: (error: unknown) => void}} hears */
    choices(step, hears) {
      const there = found.get(step);
      if (there) return hears.arrived(there);
      lists.ask(async (signal) => ask("/api/mistakes", { request: await request() }, { step }, signal), {
        ...hears,
        arrived(choices) {
          found.set(step, choices);
          hears.arrived(choices);
        },
      });
    },
    unmount() {
      lines.stop();
      lists.stop();
    },
  };
}
