import { numberIn } from "../shared/json-number.js";
import { Series } from "./series.js";
/** @typedef {import("./types.js").RunEvent} RunEvent */
/** @typedef {import("./types.js").Status} Status */
/** @typedef {import("./types.js").Settings} Settings */

/** Statuses in which no step will be taken unless it is begun again. */
const OVER = new Set(["finished", "stopped", "diverged"]);
/** By how much a learning rate must change to be marked. */
const CHANGE = 1.5;
const MOST_POINTS = 500;
const FIRST_STAGE = 100;

/** @param {number} step @returns {number} before training, then one for each power of ten from 100 on */
const stageOf = (step) => (step < FIRST_STAGE ? Math.min(step, 0) : Math.floor(Math.log10(step)));

/** A run as its events tell of it, one after the other. */
export class Run {
  series = new Series();
  taken = 0;
  target = 0;
  /** @type {Status|"starting"} */
  status = "starting";
  /** @type {import("./types.js").Start|null} */
  start = null;
  /** @type {Settings|null} */
  settings = null;
  /** @type {import("./types.js").Report|null} */
  report = null;
  /** @type {{step: number, loss: number}[]} */
  validation = [];
  /** @type {{step: number, lr: number}[]} */
  rates = [];
  /** @type {{step: number, loss: number}|null} the last of them */
  held = null;
  /** @type {{step: number, names: string[], accuracy: number|null}|null} */
  names = null;
  /** @type {{step: number, names: string[]}[]} the first of each stage of the training, which names tell apart */
  stages = [];
  /** @type {{step: number, parameters: import("./types.js").Compared[]}|null} */
  compared = null;
  /** @type {{step: number, losses: Record<string, import("./types.js").Told|null>,
   *   accuracies: Record<string, number|null>, names: string[]}|null} */
  splits = null;
  /** @type {{step: number, loss: string, lr: number}|null} */
  diverged = null;
  resumable = true;
  /** @type {number|undefined} the learning rate of the last step, or a newer setting */
  rate = undefined;
  silenced = 0;

  get over() {
    return OVER.has(this.status);
  }

  /** @returns {boolean} whether commands that take steps make sense */
  get alive() {
    return this.status === "running" || this.status === "paused";
  }

  /** @param {RunEvent} event */
  take(event) {
    if ("steps_taken" in event) this.taken = event.steps_taken;
    if ("lr" in event) this.rate = event.lr;
    const take = /** @type {Record<string, (event: any) => void>} */ ({
      start: this.#begin,
      report: this.#hear,
      validation: this.#validate,
      compared: (/** @type {any} */ told) => (this.compared = { step: told.step, parameters: told.parameters }),
      settings: (/** @type {any} */ told) => (this.settings = told),
      restart: this.#restart,
      status: (/** @type {any} */ told) => ([this.status, this.target] = [told.status, told.target]),
      diverged: this.#end,
      splits: this.#finish,
      lost: (/** @type {any} */ told) => ([this.status, this.resumable] = ["lost", told.resumable]),
    })[event.kind];
    take?.call(this, event);
  }

  /** @param {any} told what is trained; again where a run goes on from its last state */
  #begin(told) {
    this.start = told;
    this.settings = told;
    [this.status, this.target] = [told.status, told.target];
    this.series.cut(told.steps_taken);
    this.validation = this.validation.filter(({ step }) => step <= told.steps_taken);
    this.rates = this.rates.filter(({ step }) => step < told.steps_taken);
    this.stages = this.stages.filter(({ step }) => step <= told.steps_taken);
    if (!this.rates.length) this.rates.push({ step: told.steps_taken, lr: told.lr });
  }

  /** @param {import("./types.js").Report} told */
  #hear(told) {
    this.report = told;
    this.#draw(told.losses);
    if (told.silenced) this.silenced += 1;
    const rate = this.rates.at(-1);
    const factor = rate ? told.lr / rate.lr : Infinity;
    if (factor >= CHANGE || factor <= 1 / CHANGE) this.rates.push({ step: told.step, lr: told.lr });
  }

  /** @param {import("./types.js").Report["losses"]} losses */
  #draw(losses) {
    for (const [step, loss, smoothed] of losses) this.series.add(step, numberIn(loss), numberIn(smoothed));
  }

  /** @param {any} told */
  #end({ step, loss, lr, losses }) {
    this.diverged = { step, loss: String(loss), lr };
    this.#draw(losses);
  }

  /** @param {any} told */
  #validate({ loss, names, accuracy, steps_taken: step }) {
    this.names = { step, names, accuracy: accuracy ?? null };
    if (stageOf(step) > stageOf(this.stages.at(-1)?.step ?? -1)) this.stages.push({ step, names });
    this.#hold(step, loss);
  }

  /** @param {any} told the whole splits at the end, the validation loss among them */
  #finish({ losses, accuracies, names, steps_taken: step }) {
    this.splits = { step, losses, accuracies: accuracies ?? {}, names };
    this.#hold(step, losses.validation);
  }

  /** @param {number} step @param {import("./types.js").Told|null|undefined} loss on examples that are not trained on */
  #hold(step, loss) {
    const value = numberIn(loss);
    if (!Number.isFinite(value)) return;
    this.held = { step, loss: value };
    this.validation.push(this.held);
    if (this.validation.length > MOST_POINTS) this.validation = this.validation.filter((_, i) => i % 2 === 1);
  }

  #restart() {
    this.series.clear();
    [this.validation, this.stages, this.silenced] = [[], [], 0];
    this.rates = this.settings ? [{ step: 0, lr: this.settings.lr }] : [];
    this.report = this.held = this.names = this.compared = this.splits = this.diverged = null;
  }
}
