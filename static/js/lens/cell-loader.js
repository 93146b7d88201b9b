import { workOut } from "../shared/api.js";
import { latest } from "../shared/latest.js";
import { ask } from "../walk/walk-api.js";
import { readAnswer } from "./lens.js";
import { openedByFormula } from "./worked-out-loader.js";
/** @typedef {import("./lens.js").Answer} Answer */
/** @typedef {import("../walk/pick.js").Pick} Pick */
/** @typedef {import("../walk/walk.js").Walk} Walk */

/** Milliseconds for which a newer question waits: to stop one under way costs the server the run that it keeps. */
const PATIENCE = 250;
const MOST_KEPT = 500;

workOut("/api/cell", openedByFormula);

/** @param {Pick} pick @returns {string} */
export function keyOf({ tensor, which, index, step }) {
  return JSON.stringify([tensor, which, index, step]);
}

/**
 * What the server says about single numbers of one walk: each asked once, one at a time, the newest question next.
 * @param {Walk} walk
 * @param {{answered: (key: string, answer: Answer) => void, failed: (key: string, error: unknown) => void}} hears
 */
export function makeCellLoader(walk, hears) {
  const requests = latest();
  /** @type {Map<string, Answer>} */
  const kept = new Map();
  let running = { key: "", since: 0 };
  /** @type {Pick|null} */
  let next = null;

  /** @param {Pick} pick */
  function send(pick) {
    const key = keyOf(pick);
    running = { key, since: performance.now() };
    next = null;
    requests
      .ask(async (signal) => readAnswer(await ask("/api/cell", walk, pick, signal)), {
        arrived(answer) {
          keep(key, answer);
          hears.answered(key, answer);
        },
        failed: (error) => hears.failed(key, error),
      })
      .finally(() => {
        if (next && !requests.busy) send(next);
      });
  }

  /** @param {string} key @param {Answer} answer */
  function keep(key, answer) {
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value ?? "");
    kept.set(key, answer);
  }

  return {
    /** @param {Pick} pick @returns {Answer|null} what is known already */
    known: (pick) => kept.get(keyOf(pick)) ?? null,
    /** @param {Pick} pick */
    ask(pick) {
      const same = requests.busy && running.key === keyOf(pick);
      if (same) next = null;
      else if (!requests.busy || performance.now() - running.since > PATIENCE) send(pick);
      else next = pick;
    },
    /** The newest question is no longer of interest. */
    drop: () => {
      next = null;
    },
    unmount: () => {
      next = null;
      requests.stop();
    },
  };
}
