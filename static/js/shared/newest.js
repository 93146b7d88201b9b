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

  /** @returns {{wanted: T, answer: Promise<R>}|null} what is under way from now on */
  function start() {
    if (!waiting || stopped) return null;
    const { wanted } = waiting;
    waiting = null;
    return { wanted, answer: run(wanted) };
  }

  async function work() {
    running = true;
    /** @type {{wanted: T, answer: Promise<R>}|null} */
    let now = start();
    while (now) {
      /** @type {{wanted: T, answer: Promise<R>}|null} */
      let next = null;
      try {
        const result = await now.answer;
        next = start(); // it is on its way while this one is drawn
        if (!stopped) arrived(result, now.wanted);
      } catch (error) {
        if (!stopped) failed(error, now.wanted);
      }
      now = next ?? start();
    }
    running = false;
  }

  return {
    /** @param {T} wanted */
    ask: (wanted) => {
      waiting = { wanted };
      if (!running) work();
    },
    get busy() {
      return running;
    },
    stop: () => {
      stopped = true;
      waiting = null;
    },
  };
}
