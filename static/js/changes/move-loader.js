import { ask, requestOnly } from "../walk/walk-api.js";
import { refine, shownAt } from "../walk/closeup.js";
import { withChange, withOtherChanges } from "../walk/changes.js";
import { latest } from "../shared/latest.js";
import { newest } from "../shared/newest.js";
import { numberIn } from "../shared/json-number.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("./curve.js").Curve} Curve */
/** @typedef {{frame: Frame, name: string, index: number[], value: number}} Move a cell of a tensor at another value */
/**
 * @typedef {{curve: (curve: Curve) => void, moved: (loss: number, value: number) => void,
 *   failed: (error: unknown) => void}} Hears
 */

/**
 * @param {Walk} walk @param {string} name
 * @returns {boolean} whether a line makes the tensor: moved by hand, it is cut loose from it, and other steps follow
 */
export function isComputed(walk, name) {
  return walk.forwardIndex.has(name);
}

/**
 * What a number in the hand needs to know: the loss along it, once; and what the walk becomes, as often as it moves.
 * @param {Walk} walk @param {Hears} hears
 */
export function makeMoveLoader(walk, hears) {
  const curves = latest();
  // never used: a request that is aborted takes its worker along, and the run that the worker keeps
  const stop = new AbortController();
  const moves = newest(run, { arrived: arrivedAt, failed: hears.failed });

  /** @param {Move} move */
  async function run({ frame: { state, step, node }, name, index, value }) {
    const { variable } = walk.node(name);
    const changes = withChange(state.changes, { tensor: variable, index, value });
    const request = withOtherChanges(walk.request, state.changes, changes);
    if (isComputed(walk, name)) return { only: await requestOnly(request, [variable], stop.signal) };
    const nodes = shownAt(walk, step, node.name);
    return { step: await ask("/api/step", { request }, { index: step.index, nodes }, stop.signal) };
  }

  /** @param {{only?: any, step?: any}} answer @param {Move} move */
  function arrivedAt({ only, step }, { name, value }) {
    if (step) refine(walk, step);
    else walk.node(name).value = only.tensors[walk.node(name).variable];
    hears.moved(numberIn(step ? step.loss : only.loss.value), value);
  }

  return {
    /** @param {string} tensor @param {number[]} index */
    along(tensor, index) {
      const run = (/** @type {AbortSignal} */ signal) => ask("/api/curve", walk, { tensor, index }, signal);
      curves.ask(run, { arrived: hears.curve, failed: hears.failed });
    },
    move: moves.ask,
    unmount() {
      curves.stop();
      moves.stop();
    },
  };
}
