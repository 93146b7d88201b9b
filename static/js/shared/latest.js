/**
 * Requests of which only the latest counts: a newer one aborts the one under way, and of an aborted one nothing is
 * heard.
 */
export function latest() {
  /** @type {AbortController|null} */
  let running = null;

  function stop() {
    running?.abort();
    running = null;
  }

  /**
   * @template T
   * @param {(signal: AbortSignal) => Promise<T>} run
   * @param {{arrived: (result: T) => void, failed: (error: unknown) => void}} hears `failed` hears of what `arrived`
   *   throws, too
   * @param {AbortController} [mine] of a request that has left already
   */
  async function ask(run, { arrived, failed }, mine = new AbortController()) {
    stop();
    running = mine;
    try {
      const result = await run(mine.signal);
      if (mine.signal.aborted) return;
      running = null;
      arrived(result);
    } catch (error) {
      if (mine.signal.aborted) return;
      if (running === mine) running = null;
      failed(error);
    }
  }

  return {
    ask,
    stop,
    get busy() {
      return running !== null;
    },
  };
}
