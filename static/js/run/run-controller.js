import { cleanups } from "../shared/dom/elements.js";
import { Run } from "./run.js";
import { followRun } from "./following-controller.js";
import { tellRun } from "./training-api.js";
/** @typedef {import("../shared/api.js").ApiError} ApiError */
/** @typedef {import("./types.js").RunEvent} RunEvent */
/** @typedef {0|1} Place of a run: the first, and the one that keeps step with it */

/**
 * The run of the page, or the two that keep step, followed from the first event on, however often the connection is
 * lost.
 * @param {{heard: (event: RunEvent, place: Place) => void, connected: (connected: boolean) => void,
 *   gone: (error: ApiError) => void, failed: (error: unknown) => void}} hears
 */
export function followedRuns({ heard, connected, gone, failed }) {
  let id = "";
  const following = cleanups();
  /** @type {Run[]} */
  let runs = [];

  function open() {
    const told = (runs = [new Run()]);
    following.part(
      followRun(id, {
        event(event) {
          for (const run of whose(event, told)) run.take(event);
          heard(event, "run" in event ? event.run : 0);
        },
        connected,
        over: gone,
      }),
    );
  }

  function leave() {
    following.run();
    [id, runs] = ["", []];
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
