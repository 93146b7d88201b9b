/**
 * Runs one task at a time, and of what is asked meanwhile only the newest: nothing queues up behind a hand that moves,
 * and the last place it stops at is never lost.
 * @template T, R
 * @param {(wanted: T) => Promise<R>} run
 * @param {{arrived: (result: R, wanted: T) => void, failed: (error: unknown, wanted: T) => void}} hears
 */
export function newest(run, { arrived, failed }) {
  /** @type {{wanted: T}|null} */
  let waiting = null;
  let running = false;
  let stopped = false;

  async function work() {
    running = true;
    while (waiting && !stopped) {
      const { wanted } = waiting;
      waiting = null;
      try {
        const result = await run(wanted);
        if (!stopped) arrived(result, wanted);
      } catch (error) {
        if (!stopped) failed(error, wanted);
      }
    }
    running = false;
  }

  return {
    /** @param {T} wanted */
    ask(wanted) {
      waiting = { wanted };
      if (!running) work();
    },
    get busy() {
      return running;
    },
    stop() {
      stopped = true;
      waiting = null;
    },
  };
}
