import { ask } from "../walk/walk-api.js";
import { latest } from "../shared/latest.js";
import { BATCH } from "../walk/example.js";
import { wobbleOf } from "./wobble.js";
/** @typedef {import("./wobble.js").Nudged} Nudged */
/** @typedef {import("./wobble.js").Wobble} Wobble */

const MOST_KEPT = 200;

/**
 * What moves with single cells of one walk, each asked once.
 * @param {import("../walk/walk.js").Walk} walk @param {{request: string}} about what is asked about
 * @param {{arrived: (wobble: Wobble) => void, failed: (error: unknown) => void}} hears
 */
export function makeWobbleLoader(walk, about, hears) {
  const requests = latest();
  /** @type {Map<string, Wobble>} */
  const kept = new Map();
  return {
    /** @param {Nudged} nudged */
    ask(nudged) {
      const question = { ...nudged, example: walk.document.in_focus?.[BATCH] ?? null };
      const key = JSON.stringify(question);
      const known = kept.get(key);
      if (known) return hears.arrived(known);
      requests.ask(async (signal) => wobbleOf(walk, await ask("/api/tangents", about, question, signal)), {
        arrived(wobble) {
          if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value ?? "");
          kept.set(key, wobble);
          hears.arrived(wobble);
        },
        failed: hears.failed,
      });
    },
    drop: requests.stop,
    unmount: requests.stop,
  };
}
