import { readAnswer } from "./lens.js";
import { ask } from "../walk/walk-api.js";
/** @typedef {import("./lens.js").Answer} Answer */
/** @typedef {import("../walk/pick.js").Pick} Pick */
/** @typedef {import("../walk/walk.js").Walk} Walk */

/** Milliseconds for which a newer question waits: to stop one under way costs the server the run that it keeps. */
const PATIENCE = 250;
const MOST_KEPT = 500;

/** @param {Pick} pick @returns {string} */
export function keyOf({ tensor, which, index, step }) {
  return JSON.stringify([tensor, which, index, step]);
}

/**
 * What the server says about single numbers of one walk: each asked once, one at a time, the newest question next.
 * @param {Walk} walk @param {{answered: (key: string, answer: Answer) => void, failed: (key: string, error: unknown) => void}} hears
 */
export function makeCellLoader(walk, hears) {
  /** @type {Map<string, Answer>} */
  const kept = new Map();
  /** @type {{key: string, since: number, stop: AbortController}|null} */
  let running = null;
  /** @type {Pick|null} */
  let next = null;

  /** @param {Pick} pick */
  async function send(pick) {
    const mine = { key: keyOf(pick), since: performance.now(), stop: new AbortController() };
    running = mine;
    try {
      const answer = readAnswer(await ask("/api/cell", walk, pick, mine.stop.signal));
      keep(mine.key, answer);
      hears.answered(mine.key, answer);
    } catch (error) {
      if (!mine.stop.signal.aborted) hears.failed(mine.key, error);
    } finally {
      running = null;
      const following = next;
      next = null;
      if (following) send(following);
    }
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
      if (!running) return void send(pick);
      next = running.key === keyOf(pick) ? null : pick;
      if (next && performance.now() - running.since > PATIENCE) running.stop.abort();
    },
    /** The newest question is no longer of interest. */
    drop() {
      next = null;
    },
    unmount() {
      next = null;
      running?.stop.abort();
    },
  };
}
