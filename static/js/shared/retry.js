import { ApiError } from "./api.js";

/** With these the server, or a proxy before it, says that waiting helps. */
const BUSY = new Set([429, 503]);
/** Codes of what no waiting mends all the same. */
const HOPELESS = new Set(["workers-failing"]);
const ATTEMPTS = 6;
/** Seconds. */
const LONGEST = 8;

/**
 * Waits for a busy server that the page tells of, and a way to end them; "change" follows the count of those who wait.
 */
class Waits extends EventTarget {
  /** @type {Set<() => void>} what ends each wait */
  #ends = new Set();
  count = 0;
  /** What the server said last. */
  reason = "";

  /** @param {number} by @param {string} [reason] */
  add(by, reason = this.reason) {
    this.count += by;
    this.reason = reason;
    this.dispatchEvent(new Event("change"));
  }

  /** @param {() => void} end @returns {() => void} takes it out again */
  hold(end) {
    this.#ends.add(end);
    return () => this.#ends.delete(end);
  }

  /** Every request that waits takes its last answer for good. */
  giveUp() {
    for (const end of [...this.#ends]) end();
  }
}

export const waits = new Waits();

/**
 * Asks again while the server is busy: after the time that it names, longer with each attempt and at most eight
 * seconds,
 * and not when everyone else does. The page says so and offers to stop, unless the request is `quiet`.
 * @template T
 * @param {() => Promise<T>} ask
 * @param {{signal?: AbortSignal, quiet?: boolean, attempts?: number}} [options] @returns {Promise<T>}
 * @throws {ApiError}
 */
export async function retry(ask, { signal, quiet = false, attempts = ATTEMPTS } = {}) {
  let shown = false;
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask();
      } catch (error) {
        const seconds = secondsAfter(error);
        if (seconds === null || attempt >= attempts) throw error;
        if (!shown && !quiet) {
          shown = true;
          waits.add(1, /** @type {ApiError} */ (error).message);
        }
        if (!(await pause(Math.min(LONGEST, seconds * attempt * (0.5 + Math.random())), quiet, signal))) throw error;
      }
    }
  } finally {
    if (shown) waits.add(-1);
  }
}

/** @param {unknown} error @returns {number|null} what the server asks to wait; null for what no waiting mends */
function secondsAfter(error) {
  if (!(error instanceof ApiError) || !BUSY.has(error.status) || HOPELESS.has(error.problem.code)) return null;
  return error.retryAfter;
}

/**
 * @param {number} seconds @param {boolean} quiet @param {AbortSignal} [signal]
 * @returns {Promise<boolean>} false where somebody gave up @throws the signal's reason
 */
function pause(seconds, quiet, signal) {
  return new Promise((resolve, reject) => {
    const finish = (/** @type {() => void} */ outcome) => {
      clearTimeout(timer);
      release();
      signal?.removeEventListener("abort", abort);
      outcome();
    };
    const abort = () => finish(() => reject(signal?.reason));
    const timer = setTimeout(() => finish(() => resolve(true)), seconds * 1000);
    const release = quiet ? () => undefined : waits.hold(() => finish(() => resolve(false)));
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
  });
}
