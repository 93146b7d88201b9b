import { calm } from "../shared/api.js";
import { followTogether } from "../shared/shared-stream-controller.js";
import { eventsAfter } from "./training-api.js";
/** @typedef {import("../shared/api.js").ApiError} ApiError */
/** @typedef {import("./types.js").RunEvent} RunEvent */

/** Milliseconds between two questions for what came before, where a server has yet to hear of it. */
const AGAIN = 700;

/**
 * Follows a run from its first event, with all tabs of this browser that show it over one connection; a lost connection
 * is taken up again behind the last event that came, whichever server answers.
 * @param {string} run
 * @param {{event: (event: RunEvent) => void, connected: (connected: boolean) => void,
 *   over: (error: ApiError) => void}} hears `over`: there is nothing more to follow
 * @returns {{again: () => void, unmount: () => void}}
 */
export function followRun(run, { event, connected, over }) {
  let latest = 0;
  let wanted = 0;
  let closed = false;

  /** @param {RunEvent} told @param {number} number */
  function take(told, number) {
    if (closed || number <= latest) return; // a server that has yet to hear of it begins anew
    latest = number;
    event(told);
  }

  /** Asks for what came before, where another tab has led. @param {number} until */
  async function catchUp(until) {
    const asking = wanted > latest;
    wanted = Math.max(wanted, until);
    if (asking) return;
    while (!closed && latest < wanted) {
      const before = latest;
      for (const { told, number } of await eventsAfter(run, before)) take(told, number);
      if (latest === before) await calm(AGAIN);
    }
  }

  const stream = followTogether(
    `run:${run}`,
    () => `/api/training/${run}/events?after=${latest}`,
    {
      heard(/** @type {RunEvent} */ told, number) {
        if (number > latest + 1 && told.kind !== "missed") void catchUp(number);
        else take(told, number);
      },
      connected,
      over(error) {
        closed = true;
        over(error);
      },
    },
    true,
  );
  return {
    again: stream.again,
    unmount() {
      closed = true;
      stream.unmount();
    },
  };
}
