const TRIES = 6;
const LONGEST = 8;

/**
 * Waiting for a server that has too much to do: who waits, for everyone to see, and a way to stop waiting.
 * It changes ("change") with every request that begins or ceases to wait.
 */
export class Patience extends EventTarget {
  /** @type {Set<() => void>} what ends each wait */
  #waits = new Set();
  waiting = 0;

  /**
   * Asks again, later and later, while the answer is that the server is busy.
   * @template T
   * @param {() => Promise<T>} ask @param {(error: unknown) => number|null} secondsFor null for what no waiting mends
   * @param {AbortSignal|null} [signal] @returns {Promise<T>}
   */
  async ask(ask, secondsFor, signal) {
    let patient = false;
    try {
      for (let tries = 1; ; tries += 1) {
        try {
          return await ask();
        } catch (error) {
          const seconds = secondsFor(error);
          if (seconds === null || tries === TRIES) throw error;
          if (!patient) this.#count((patient = true));
          if (!(await this.#wait(Math.min(LONGEST, seconds * tries * (0.5 + Math.random())), signal))) throw error;
        }
      }
    } finally {
      if (patient) this.#count(false);
    }
  }

  /** Every request that waits takes its last answer for good. */
  giveUp() {
    for (const end of [...this.#waits]) end();
  }

  /** @param {boolean} more */
  #count(more) {
    this.waiting += more ? 1 : -1;
    this.dispatchEvent(new Event("change"));
  }

  /** @param {number} seconds @param {AbortSignal|null} [signal] @returns {Promise<boolean>} false if it was cut short @throws what the signal was aborted with */
  #wait(seconds, signal) {
    return new Promise((resolve, reject) => {
      const finish = (/** @type {() => void} */ outcome) => {
        clearTimeout(timer);
        this.#waits.delete(giveUp);
        signal?.removeEventListener("abort", abort);
        outcome();
      };
      const giveUp = () => finish(() => resolve(false));
      const abort = () => finish(() => reject(signal?.reason));
      const timer = setTimeout(() => finish(() => resolve(true)), seconds * 1000);
      this.#waits.add(giveUp);
      signal?.addEventListener("abort", abort);
      if (signal?.aborted) abort();
    });
  }
}

export const patience = new Patience();
