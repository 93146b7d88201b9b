import { SCAN, farthest, ratesUpTo } from "./downhill.js";
import { mountDownhill } from "./downhill-view.js";
import { ask, requestOnly } from "../walk/walk-api.js";
import { withChange, withOtherChanges } from "../walk/changes.js";
import { asApiError } from "../shared/api.js";
import { latest } from "../shared/latest.js";
import { newest } from "../shared/newest.js";
import { numberIn } from "../shared/json-number.js";
/** @typedef {import("../walk/changes.js").Change} Change */
/** @typedef {import("../walk/walk.js").Walk} Walk */

/**
 * The dialog that steps downhill, with its requests.
 * @param {(change: Change) => void} make walks with one more change
 */
export function mountDownhillDialog(make) {
  const lines = latest();
  const tenth = latest();
  // never used: a request that is aborted takes its worker along
  const stop = new AbortController();
  /** @type {{walk: Walk, changes: Change[]}|null} */
  let subject = null;

  const rates = newest((/** @type {number} */ rate) => descent([rate], stop.signal), {
    arrived: ({ steps: [step] }, rate) => view.arrived(rate, step.loss),
    failed,
  });
  const view = mountDownhill({
    moved: rates.ask,
    stays: tenSteps,
    go: (rate, steps) => make({ descend: rate, steps }),
    closed() {
      lines.stop();
      tenth.stop();
    },
  });

  /** @param {number[]} tried @param {AbortSignal} signal @returns {Promise<any>} */
  function descent(tried, signal) {
    return ask("/api/descent", /** @type {{walk: Walk}} */ (subject).walk, { rates: tried }, signal);
  }

  /** @param {number} rate */
  function tenSteps(rate) {
    if (!subject) return;
    const { walk, changes } = subject;
    const after = withOtherChanges(walk.request, changes, withChange(changes, { descend: rate, steps: 10 }));
    tenth.ask((signal) => requestOnly(after, [walk.lossName], signal), {
      arrived: (answer) => view.tenfold(rate, numberIn(answer.loss.value)),
      failed,
    });
  }

  /** @param {unknown} error */
  function failed(error) {
    view.fail(asApiError(error, "Reload it.").problem);
  }

  return {
    /** @param {Walk} walk @param {Change[]} changes that it is made with */
    open(walk, changes) {
      subject = { walk, changes };
      view.wait();
      const line = async (/** @type {AbortSignal} */ signal) =>
        descent(ratesUpTo(farthest(await descent(SCAN, signal))), signal);
      lines.ask(line, { arrived: (found) => view.hold(found, walk.lossName), failed });
    },
    unmount() {
      lines.stop();
      tenth.stop();
      rates.stop();
      view.unmount();
    },
  };
}
