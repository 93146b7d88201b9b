import { ApiError } from "../shared/api.js";
import { Run } from "./run.js";
import { aboutRun, followRun, tellRun } from "./training-api.js";
/** @typedef {import("./types.js").RunEvent} RunEvent */

/** Milliseconds until a stream that was refused is asked for again. */
const AGAIN = 3000;

/**
 * One run followed from its first event on, however often the connection is lost.
 * @param {string} id
 * @param {{heard: (event: RunEvent) => void, connected: (connected: boolean) => void, gone: (error: ApiError) => void,
 *   failed: (error: unknown) => void}} hears
 */
export function followedRun(id, { heard, connected, gone, failed }) {
  let run = new Run();
  let stop = follow();
  let timer = 0;
  let left = false;

  function follow() {
    run = new Run();
    const told = run;
    return followRun(id, {
      event(event) {
        told.take(event);
        heard(event);
      },
      connected,
      closed,
    });
  }

  /** The stream was refused: because there is no such run, or only for now. */
  async function closed() {
    try {
      await aboutRun(id);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404 && !left) return gone(error);
    }
    if (left) return;
    connected(false);
    timer = setTimeout(() => (stop = follow()), AGAIN);
  }

  return {
    id,
    get run() {
      return run;
    },
    /** @param {string} command @param {object} [body] */
    async tell(command, body) {
      try {
        return await tellRun(id, command, body);
      } catch (error) {
        failed(error);
        return null;
      }
    },
    unmount() {
      left = true;
      clearTimeout(timer);
      stop();
    },
  };
}
