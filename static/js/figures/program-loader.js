import { newest } from "../shared/newest.js";
import { follow } from "../walk/live.js";
import { ask, requestWhole } from "../walk/walk-api.js";
import { placeOf, withChanges } from "../walk/changes.js";
import { Walk } from "../walk/walk.js";
/** @typedef {import("../walk/changes.js").Change} Change */
/**
 * `moved` hears of every walk of this program that is there: at first, with numbers that are being moved, and (`rests`)
 * once they stay; `failed` of a request that brought none.
 * `needs` tells what is in sight of it.
 * @typedef {{moved: (walk: Walk, rests: boolean) => void, failed: (error: unknown) => void, needs: () => Needs}} Hears
 */
/** @typedef {import("./drawing.js").Needs} Needs */
/** @typedef {import("../walk/types.js").StepTensors} StepTensors */
/** @typedef {ReturnType<typeof makeProgram>} Program */

/** Tensors that one question may name. */
const MOST_NODES = 32;

/**
 * One program of a chapter: walked once, and again with every number that a reader moves; all of its figures show the
 * same walk. While a number is on its way only what is in sight is asked for.
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
  /** @type {Walk|null} the one that rested last, with the numbers that are on their way */
  let live = null;
  const trials = newest(
    async (/** @type {{changes: Change[], rests: boolean}} */ wanted) => {
      if (!wanted.rests && walk) return glimpsed(walk, wanted.changes);
      if (!wanted.changes.length && begun) return begun;
      const text = withChanges(request, wanted.changes);
      return new Walk(await requestWhole(text, stop.signal), text);
    },
    {
      arrived(made, { changes: those, rests }) {
        walk = made instanceof Walk ? made : followed(made);
        if (rests) live = null;
        shown = those;
        hears.moved(walk, rests);
      },
      failed: hears.failed,
    },
  );

  /**
   * @param {Walk} at @param {Change[]} wanted
   * @returns {Promise<StepTensors[]>} what the steps in sight show with these changes, and the tensors beside them
   */
  function glimpsed(at, wanted) {
    const { steps, nodes } = hears.needs();
    const [first, ...others] = steps.length ? steps : [at.forwardIndex.get(at.document.loss.name) ?? 0];
    const about = (/** @type {number} */ index, /** @type {string[]} */ named) =>
      ask("/api/step", at, { index, nodes: named.slice(0, MOST_NODES), changes: wanted }, stop.signal);
    return Promise.all([about(first, nodes), ...others.map((index) => about(index, []))]);
  }

  /** @param {StepTensors[]} sent @returns {Walk} */
  function followed(sent) {
    const resting = /** @type {Walk} */ (walk);
    live ??= new Walk(structuredClone(resting.document), resting.request);
    const lost = new Set();
    for (const one of sent) {
      follow(live, one);
      for (const name of live.lost) lost.add(name);
    }
    live.lost = lost;
    live.thumbnails = null;
    live.document.loss.value = sent[0].loss;
    return live;
  }

  async function first() {
    const made = new Walk(await requestWhole(request, stop.signal), request);
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
    /** @returns {Promise<Walk>} asked for once more where its request is still under way: nothing waits for that one */
    atOnce: () => (begun ? Promise.resolve(begun) : first()),
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
