import { ApiError } from "../shared/api.js";
import { Run } from "./run.js";
import { aboutRun, followRun, tellRun } from "./training-api.js";
/** @typedef {import("./types.js").RunEvent} RunEvent */
/** @typedef {0|1} Place of a run: the first, and the one that keeps step with it */

/** Milliseconds until a stream that was refused is asked for again. */
const AGAIN = 3000;

/**
 * The run of the page, or the two that keep step, followed from the first event on, however often the connection is
 * lost.
 * @param {{heard: (event: RunEvent, place: Place) => void, connected: (connected: boolean) => void,
 *   gone: (error: ApiError) => void, failed: (error: unknown) => void}} hears
 */
export function followedRuns({ heard, connected, gone, failed }) {
  let [id, timer] = ["", 0];
  let stop = () => {};
  /** @type {Run[]} */
  let runs = [];

  function open() {
    const told = (runs = [new Run()]);
    stop = followRun(id, {
      event(event) {
        for (const run of whose(event, told)) run.take(event);
        heard(event, "run" in event ? event.run : 0);
      },
      connected,
      closed,
    });
  }

  /** The stream was refused: because there is no such run, or only for now. */
  async function closed() {
    const mine = id;
    try {
      await aboutRun(mine);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404 && mine === id) return gone(error);
    }
    if (mine !== id) return;
    connected(false);
    timer = setTimeout(open, AGAIN);
  }

  function leave() {
    clearTimeout(timer);
    stop();
    [id, runs, stop] = ["", [], () => {}];
    connected(true);
  }

  return {
    /** @param {string} wanted */
    follow(wanted) {
      leave();
      id = wanted;
      open();
    },
    leave,
    id: () => id,
    runs: () => runs,
    /** @param {string} command @param {object} [body] */
    async tell(command, body) {
      const mine = id;
      try {
        return await tellRun(mine, command, body);
      } catch (error) {
        if (mine === id) failed(error); // of a run that was left nobody wants to know
        return null;
      }
    },
  };
}

/** @param {RunEvent} event @param {Run[]} runs @returns {Run[]} those it tells of: a lost process is of both */
function whose(event, runs) {
  return "run" in event ? [(runs[event.run] ??= new Run())] : runs;
}
