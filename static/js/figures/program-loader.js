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
/** @typedef {{changes: Change[], rests: boolean}} Trial numbers as they are asked for */

/** Tensors that one question may name. */
const MOST_NODES = 32;

/**
 * One program of a chapter: walked once, and again with every number that a reader moves; all of its figures show the
 * same walk. While a number is on its way only what is in sight is asked for.
 */
export class Program {
  /** @param {string} name @param {string} request @param {Hears} hears */
  constructor(name, request, hears) {
    this.name = name;
    this.request = request;
    this.hears = hears;
    this.stop = new AbortController();
    /** @type {Walk|null} without any change */
    this.begun = null;
    /** @type {Walk|null} that is shown */
    this.walk = null;
    /** @type {Promise<Walk>|null} */
    this.coming = null;
    /** @type {Change[]} that were asked for last */
    this.changes = [];
    /** @type {Change[]} those of the walk that is shown */
    this.shown = [];
    /** @type {Walk|null} the one that rested last, with the numbers that are on their way */
    this.live = null;
    this.trials = newest((/** @type {Trial} */ wanted) => this.tried(wanted), {
      arrived: (made, wanted) => this.arrived(made, wanted),
      failed: hears.failed,
    });
  }

  /** @param {Trial} wanted @returns {Promise<Walk|StepTensors[]>} */
  async tried({ changes, rests }) {
    if (!rests && this.walk) return this.glimpsed(this.walk, changes);
    if (!changes.length && this.begun) return this.begun;
    return this.walked(withChanges(this.request, changes));
  }

  /** @param {Walk|StepTensors[]} made @param {Trial} wanted */
  arrived(made, { changes, rests }) {
    this.walk = made instanceof Walk ? made : this.followed(made);
    if (rests) this.live = null;
    this.shown = changes;
    this.hears.moved(this.walk, rests);
  }

  /** @param {string} request @returns {Promise<Walk>} */
  async walked(request) {
    return new Walk(await requestWhole(request, this.stop.signal), request);
  }

  /**
   * @param {Walk} at @param {Change[]} changes
   * @returns {Promise<StepTensors[]>} what the steps in sight show with these changes, and the tensors beside them
   */
  glimpsed(at, changes) {
    const { steps, nodes } = this.hears.needs();
    const [first, ...others] = steps.length ? steps : [at.forwardIndex.get(at.document.loss.name) ?? 0];
    const about = (/** @type {number} */ index, /** @type {string[]} */ named) =>
      ask("/api/step", at, { index, nodes: named.slice(0, MOST_NODES), changes }, this.stop.signal);
    return Promise.all([about(first, nodes), ...others.map((index) => about(index, []))]);
  }

  /** @param {StepTensors[]} sent @returns {Walk} */
  followed(sent) {
    const resting = /** @type {Walk} */ (this.walk);
    const live = (this.live ??= new Walk(structuredClone(resting.document), resting.request));
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

  async first() {
    return (this.begun = this.walk = await this.walked(this.request));
  }

  /** @returns {Promise<Walk>} the one request of this program; asked again where it failed */
  ready() {
    return (this.coming ??= this.first().catch((error) => {
      this.coming = null;
      throw error;
    }));
  }

  /** @returns {Promise<Walk>} asked for once more where its request is still under way: nothing waits for that one */
  atOnce() {
    return this.begun ? Promise.resolve(this.begun) : this.first();
  }

  /** @param {Change[]} changes @param {boolean} rests */
  attempt(changes, rests) {
    this.changes = changes;
    this.trials.ask({ changes, rests });
  }

  /** @param {Change} change takes the place of an earlier one of the same number @param {boolean} rests */
  move(change, rests) {
    this.attempt([...others(this.changes, change), change], rests);
  }

  /** @param {Change} change as it was */
  back(change) {
    this.attempt(others(this.changes, change), true);
  }

  reset() {
    this.attempt([], true);
  }

  unmount = () => {
    this.stop.abort();
    this.trials.stop();
  };
}

/** @param {string} name empty for the chapter's first @param {string} request a JSON text @param {Hears} hears */
export function makeProgram(name, request, hears) {
  return new Program(name, request, hears);
}

/** @param {Change[]} changes @param {Change} change @returns {Change[]} those of other numbers */
export function others(changes, change) {
  return changes.filter((one) => placeOf(one) !== placeOf(change));
}
