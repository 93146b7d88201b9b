import { newest } from "../shared/newest.js";
import { requestWalk } from "../walk/walk-api.js";
import { placeOf, withChanges } from "../walk/changes.js";
import { Walk } from "../walk/walk.js";
/** @typedef {import("../walk/changes.js").Change} Change */
/**
 * `moved` hears of every walk of this program that is there: at first, with numbers that are being moved, and (`rests`)
 * once they stay; `failed` of a request that brought none.
 * @typedef {{moved: (walk: Walk, rests: boolean) => void, failed: (error: unknown) => void}} Hears
 */
/** @typedef {ReturnType<typeof makeProgram>} Program */

/**
 * One program of a chapter: walked once, and again with every number that a reader moves; all of its figures show the
 * same walk.
 * @param {string} name empty for the chapter's first @param {string} request a JSON text @param {Hears} hears
 */
export function makeProgram(name, request, hears) {
  const stop = new AbortController();
  /** @type {Walk|null} without any change */
  let begun = null;
  /** @type {Walk|null} that is shown */
  let walk = null;
  /** @type {Promise<Walk>|null} */
  let coming = null;
  /** @type {Change[]} that were asked for last */
  let changes = [];
  /** @type {Change[]} those of the walk that is shown */
  let shown = [];
  const trials = newest(
    async (/** @type {{changes: Change[], rests: boolean}} */ wanted) => {
      if (!wanted.changes.length && begun) return begun;
      const text = withChanges(request, wanted.changes);
      return new Walk(await requestWalk(text, stop.signal), text);
    },
    {
      arrived(made, { changes: those, rests }) {
        walk = made;
        shown = those;
        hears.moved(made, rests);
      },
      failed: hears.failed,
    },
  );

  async function first() {
    const made = new Walk(await requestWalk(request, stop.signal), request);
    begun = walk = made;
    return made;
  }

  /** @param {Change[]} next @param {boolean} rests */
  function attempt(next, rests) {
    changes = next;
    trials.ask({ changes, rests });
  }

  return {
    name,
    request,
    /** @returns {Promise<Walk>} the one request of this program; asked again where it failed */
    ready() {
      coming ??= first().catch((error) => {
        coming = null;
        throw error;
      });
      return coming;
    },
    get walk() {
      return walk;
    },
    get begun() {
      return begun;
    },
    get changes() {
      return changes;
    },
    get shown() {
      return shown;
    },
    /** @param {Change} change takes the place of an earlier one of the same number @param {boolean} rests */
    move: (change, rests) => attempt([...others(changes, change), change], rests),
    /** @param {Change} change as it was */
    back: (change) => attempt(others(changes, change), true),
    reset: () => attempt([], true),
    unmount() {
      stop.abort();
      trials.stop();
    },
  };
}

/** @param {Change[]} changes @param {Change} change @returns {Change[]} those of other numbers */
export function others(changes, change) {
  return changes.filter((one) => placeOf(one) !== placeOf(change));
}
