import { numberIn } from "../shared/json-number.js";
/** @typedef {import("../run/types.js").RunEvent} RunEvent */

/** Relative difference from which on two losses are no longer the same but for rounding. */
export const SAME = 1e-5;
/** Losses of one run that wait for the other to get there; beyond it only every second step waits, and so on. */
const MOST_WAITING = 20_000;

/** Two runs from one seed, compared by their losses at the steps that both have told. */
export class Pair {
  steps = 0;
  /** The last step that is compared. */
  last = -1;
  worst = { step: -1, apart: 0 };
  /** @type {number|null} the first step at which the losses are further apart than rounding */
  parted = null;
  /** @type {[Map<number, number>, Map<number, number>]} losses by their steps */
  #waiting = [new Map(), new Map()];
  #every = 1;

  /** @param {0|1} place of the run @param {RunEvent} event that it has told */
  take(place, event) {
    if (event.kind === "restart") this.#clear(place);
    else if (event.kind === "start") this.#cut(place, event.steps_taken);
    else if (event.kind === "report") for (const [step, told] of event.losses) this.#hear(place, step, numberIn(told));
  }

  /** @param {0|1} place */
  #clear(place) {
    [this.steps, this.last, this.parted] = [0, -1, null];
    this.worst = { step: -1, apart: 0 };
    this.#waiting[place].clear();
    this.#every = 1;
  }

  /** @param {0|1} place @param {number} taken steps, from which it goes on: what was told after them is told again */
  #cut(place, taken) {
    for (const step of this.#waiting[place].keys()) if (step >= taken) this.#waiting[place].delete(step);
  }

  /** @param {0|1} place @param {number} step @param {number} loss */
  #hear(place, step, loss) {
    if (step <= this.last || step % this.#every || !Number.isFinite(loss)) return;
    const [own, others] = [this.#waiting[place], this.#waiting[1 - place]];
    const other = others.get(step);
    if (other !== undefined) return this.#compare(step, place === 0 ? [loss, other] : [other, loss]);
    own.set(step, loss);
    if (own.size > MOST_WAITING) this.#thin();
  }

  #thin() {
    this.#every *= 2;
    for (const waiting of this.#waiting)
      for (const step of waiting.keys()) if (step % this.#every) waiting.delete(step);
  }

  /** @param {number} step @param {[number, number]} losses */
  #compare(step, losses) {
    this.steps += 1;
    this.last = step;
    for (const waiting of this.#waiting)
      for (const earlier of waiting.keys()) {
        if (earlier > step) break;
        waiting.delete(earlier);
      }
    const size = Math.max(...losses.map(Math.abs));
    const apart = size > 0 ? Math.abs(losses[0] - losses[1]) / size : 0;
    if (apart > this.worst.apart) this.worst = { step, apart };
    if (apart > SAME) this.parted ??= step;
  }
}
