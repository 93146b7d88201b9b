import { compare, follow } from "../walk/live.js";
import { shownAt } from "../walk/closeup.js";
import { ask } from "../walk/walk-api.js";
import { scoresOf } from "./chances.js";
import { newest } from "../shared/newest.js";
import { numberIn } from "../shared/json-number.js";
/** @typedef {import("../walk/changes.js").Change} Change */
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/types.js").StepTensors} StepTensors */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {{frame: Frame, changes: Change[], name: string|null}} Trial what is tried, and the tensor that it moves */

/**
 * What the walk becomes while a number is moved, as often as it moves: everything that is in sight follows. One
 * question at a time, and then the newest.
 * @param {Walk} walk
 * @param {{moved: (loss: number, changes: Change[], sent: StepTensors) => void,
 *   failed: (error: unknown) => void}} hears
 */
export function makeLiveLoader(walk, hears) {
  // never used: a request that is aborted takes its worker along, and the plans that the worker keeps
  const stop = new AbortController();
  const trials = newest(run, { arrived, failed: hears.failed });
  /** @type {Map<string, Promise<StepTensors>>} by step, what it showed before all changes */
  const earlier = new Map();
  /** @type {Change[]|null} those that are drawn, where they are not the walk's own */
  let tried = null;
  let compared = "";

  /** @param {Trial} trial */
  function placeOf({ frame: { step, node, state }, name }) {
    const scores = state.hand ? (scoresOf(walk)?.name ?? null) : null;
    const more = [name, scores].filter((one) => one !== null);
    const nodes = [...new Set([...shownAt(walk, step, node.name), ...more])];
    return { index: step.index, nodes, thumbnails: true };
  }

  /** @param {object} place @param {Change[]} changes @returns {Promise<StepTensors>} */
  function shownWith(place, changes) {
    return ask("/api/step", walk, { ...place, changes }, stop.signal);
  }

  /** @param {Trial} trial */
  async function run(trial) {
    const place = placeOf(trial);
    const key = JSON.stringify(place);
    if (trial.frame.state.delta && !earlier.has(key)) earlier.set(key, shownWith(place, []));
    const before = trial.frame.state.delta ? earlier.get(key) : null;
    try {
      return { now: await shownWith(place, trial.changes), before: await before };
    } catch (error) {
      earlier.delete(key);
      throw error;
    }
  }

  /** @param {{now: StepTensors, before?: StepTensors|null}} answer @param {Trial} trial */
  function arrived({ now, before }, { changes }) {
    follow(walk, now);
    if (before) compare(walk, now, before);
    hears.moved(numberIn(now.loss), changes, now);
  }

  return {
    /** @param {Trial} trial */
    move(trial) {
      tried = trial.changes;
      trials.ask(trial);
    },
    /** Where differences are drawn, each step needs what it was before. @param {Frame} frame */
    look(frame) {
      const key = frame.delta ? `${frame.step.index} ${frame.node.name}` : "";
      if (key && key !== compared) trials.ask({ frame, changes: tried ?? frame.state.changes, name: null });
      compared = key;
    },
    unmount: trials.stop,
  };
}
