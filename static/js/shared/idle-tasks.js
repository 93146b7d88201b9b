/**
 * Runs a list of small tasks in idle time, one per slice, after a moment of calm; cancelled by the next step. `later`
 * begins the moment anew.
 * @returns {{start: (calm: number, tasks: (() => Promise<void>)[]) => void, later: () => void, cancel: () => void}}
 */
export function idle() {
  let turn = 0;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  let begin = () => {};

  /** @param {number} mine @param {(() => Promise<void>)[]} tasks */
  async function run(mine, tasks) {
    for (const task of tasks) {
      await slice();
      if (mine !== turn) return;
      await task();
    }
  }

  return {
    start(calm, tasks) {
      const mine = (turn += 1);
      begin = () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          begin = () => {};
          run(mine, tasks).catch(() => undefined);
        }, calm);
      };
      begin();
    },
    later: () => begin(),
    cancel() {
      turn += 1;
      begin = () => {};
      clearTimeout(timer);
    },
  };
}

/** @returns {Promise<void>} resolves when the browser has nothing better to do */
export function slice() {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === "function") requestIdleCallback(() => resolve(), { timeout: 500 });
    else setTimeout(resolve, 16);
  });
}
