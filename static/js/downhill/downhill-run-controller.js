import { RATE } from "../walk/rates.js";
import { follow } from "../walk/live.js";
import { ApiError, asApiError } from "../shared/api.js";
import { numberIn } from "../shared/json-number.js";
import { latest } from "../shared/latest.js";
import { newest } from "../shared/newest.js";
import { afterPaint } from "../shared/dom/after-paint.js";
import { byId } from "../shared/dom/elements.js";
import { followedRuns } from "../run/run-controller.js";
import { forgetRun } from "../run/training-api.js";
import { mountStrip } from "./strip-view.js";
import { makeRunLoader } from "./run-loader.js";
import { trains } from "./own-inputs.js";
import { farFrom, paceOf, takenWords } from "./pace.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("../run/types.js").RunEvent} RunEvent */
/**
 * `now` is what is drawn, `change` changes the page's state, `follow` draws what has other numbers, `restore` the
 * walk's own; `say` is for those who hear the page, `tell` for everybody; `walkStep` walks the program after so many
 * steps, `train` is the address of the Train page with a run.
 * @typedef {{data: string, now: () => Frame|null, change: (change: {run: string|null}) => void,
 *   follow: (frame: Frame) => void, restore: () => void, say: (words: string) => void, tell: (words: string) => void,
 *   walkStep: (taken: number, request: string) => void, train: (run: string) => string}} Acts
 */

const LARGE = "This network has too many numbers to be drawn anew after a step: the curve goes on, the pictures stay.";
const HINT = "Reload the page: the run goes on where it is.";

/**
 * A run of training that goes on from a walk's numbers, and is seen in the walk.
 * @param {Walk} walk @param {Acts} acts
 */
export function mountDownhillRun(walk, acts) {
  return new DownhillRun(walk, acts);
}

export class DownhillRun {
  /** @param {Walk} walk @param {Acts} acts */
  constructor(walk, acts) {
    this.walk = walk;
    this.acts = acts;
    this.rate = RATE;
    this.pace = paceOf("slow");
    /** Whether steps follow one another without being asked for. */
    this.playing = false;
    this.open = this.drawn = this.large = false;
    this.step = -1;
    this.loss = numberIn(walk.document.loss.value);
    this.loader = makeRunLoader(walk, acts.data);
    this.beginning = latest();
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
    this.frame = 0;
    this.followed = followedRuns({
      heard: (event) => this.#hear(event),
      connected: (connected) => this.strip?.connected(connected),
      gone: () => this.#gone("That run has ended. Going on begins another one."),
      failed: (error) => this.#fail(error),
    });
    this.looks = newest((/** @type {{id: string, frame: Frame}} */ { id, frame }) => this.loader.look(id, frame), {
      arrived: (seen) => this.#see(seen),
      failed: (error) => this.open && this.#fail(error),
    });
    /** @type {ReturnType<typeof mountStrip>|null} */
    this.strip = null;
  }

  /** Made when it is first wanted: most readers of a walk never see it. */
  get view() {
    this.strip ??= mountStrip(byId("run-strip"), {
      go: () => this.go(),
      take: (count) => this.take(count),
      pace: (name) => this.#pace(name),
      walkStep: () => this.#walkStep(),
      close: () => this.close(),
    });
    return this.strip;
  }

  get run() {
    return this.followed.runs()[0] ?? null;
  }

  /** Before a step of the walk is drawn beside it. @param {number} rate @param {() => void} painted */
  appear(rate, painted) {
    if (!this.open) {
      this.open = true;
      this.rate = rate;
      this.#wake();
    }
    afterPaint(() => this.open && painted());
  }

  /** @param {Frame} frame */
  update(frame) {
    const { run, rate } = frame.state;
    if (run === null) return this.#shut();
    this.rate = rate ?? this.rate;
    const moved = this.step !== frame.step.index;
    this.step = frame.step.index;
    byId("walk").classList.toggle("flowing", true);
    if (!this.open) this.#wake();
    this.open = true;
    if (run && this.followed.id() !== run) this.#follow(run);
    else if (moved) this.#look();
  }

  /** @param {string} run */
  #follow(run) {
    this.followed.follow(run);
    this.#wake();
  }

  /** Play and pause; where nothing is to move by itself, one step. */
  go() {
    if (this.view.still) return this.take(1);
    if (this.playing || this.run?.status === "running") return this.pause();
    this.playing = true;
    this.#do(() => this.#next());
    return undefined;
  }

  /** @param {number} count of steps */
  take(count) {
    this.#rest();
    this.#do(() => this.followed.tell("step", { count }));
  }

  pause() {
    this.#rest();
    if (this.run?.status === "running") this.followed.tell("pause");
    this.#wake();
  }

  close() {
    const id = this.followed.id();
    this.#shut();
    this.acts.change({ run: null });
    if (id) forgetRun(id).catch(() => undefined); // it is forgotten in any case, once nobody watches
  }

  /** @param {string} name */
  #pace(name) {
    this.pace = paceOf(name);
    if (!this.playing) return;
    clearTimeout(this.timer);
    if (this.run?.status === "running") this.followed.tell("pause");
    else this.#next();
  }

  #rest() {
    this.playing = false;
    clearTimeout(this.timer);
  }

  /** What a run is told, which is begun where there is none. @param {() => unknown} then */
  #do(then) {
    if (this.followed.id()) return this.run?.alive ? then() : this.#rest();
    if (this.beginning.busy) return undefined;
    this.view.begin();
    return this.beginning.ask((signal) => this.loader.begin(this.rate, signal), {
      arrived: (id) => {
        this.#follow(id); // the frame that says so may have to wait for its step
        this.acts.change({ run: id });
        then();
      },
      failed: (error) => this.#fail(error),
    });
  }

  /** The next step, or the next thousand. */
  #next() {
    if (!this.playing || !this.followed.id()) return;
    if (this.pace.rest) this.followed.tell("step", { count: 1 });
    else this.followed.tell("run-to", { step: farFrom(this.run?.taken ?? 0) });
  }

  /** @param {RunEvent} event */
  #hear(event) {
    const { run } = this;
    if (event.kind === "start" && run?.start && !trains(this.walk, run.start.parameters))
      return this.#gone("That run trains another network than this walk’s.");
    if (event.kind === "report" || event.kind === "start") this.#look();
    if (event.kind === "status" && run && !["running", "starting"].includes(run.status)) this.#paused();
    if (event.kind === "lost") this.#gone("The run ended unexpectedly. Going on begins another one.");
    this.#wake();
    return undefined;
  }

  #paused() {
    const { run, pace } = this;
    if (run?.over) this.#rest();
    if (run?.diverged) this.acts.tell("The loss is no longer a number: this learning rate is too large.");
    clearTimeout(this.timer);
    if (this.playing && pace.rest) {
      this.timer = setTimeout(() => this.#next(), pace.rest);
      return;
    }
    const isNamed = run?.over || run?.names?.step === run?.taken;
    if (run && !isNamed && this.acts.data === "names") this.followed.tell("sample");
    this.#rest();
    if (run) this.acts.say(`${takenWords(run.taken)}: ${this.view.lossWords()}`);
  }

  #look() {
    const [id, frame] = [this.followed.id(), this.acts.now()];
    if (id && frame && this.open && !this.large) this.looks.ask({ id, frame });
  }

  /** @param {Awaited<ReturnType<ReturnType<typeof makeRunLoader>["look"]>>} seen */
  #see({ index, shown }) {
    const frame = this.acts.now();
    if (!this.open || !frame) return;
    if (!shown) return this.#outgrow();
    this.loss = numberIn(shown.loss);
    this.#wake();
    if (frame.step.index !== index) return this.#look();
    this.drawn = true;
    follow(this.walk, shown);
    this.acts.follow(frame);
    return undefined;
  }

  /** From now on nothing is asked about its steps. */
  #outgrow() {
    this.large = true;
    this.acts.tell(LARGE);
    this.#wake();
  }

  async #walkStep() {
    this.pause();
    const id = this.followed.id();
    if (!id) return;
    try {
      const { taken, request } = await this.loader.weights(id);
      if (request === null) this.#outgrow();
      else this.acts.walkStep(taken, request);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param {string} words */
  #gone(words) {
    this.#rest();
    this.followed.leave();
    this.acts.change({ run: "" });
    this.acts.tell(words);
    this.#wake();
  }

  /** @param {unknown} error */
  #fail(error) {
    this.#rest();
    if (error instanceof ApiError && error.status === 404 && this.followed.id()) return;
    const { problem } = asApiError(error, HINT);
    this.acts.tell(`${problem.message} ${problem.hint ?? ""}`);
    this.#wake();
  }

  #wake() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      if (!this.open) return;
      const { run, playing, loss, walk, large } = this;
      const id = this.followed.id();
      this.view.update({ run, playing, loss, before: numberIn(walk.document.loss.value), begun: Boolean(id), large });
      this.view.lead(id ? this.acts.train(id) : "");
    });
  }

  #shut() {
    if (!this.open) return;
    this.open = false;
    this.#rest();
    this.beginning.stop();
    this.followed.leave();
    this.view.hide();
    byId("walk").classList.remove("flowing");
    if (this.drawn) this.acts.restore();
    this.drawn = false;
  }

  unmount = () => {
    this.acts.restore = () => undefined; // the walk leaves, too
    this.#shut();
    this.looks.stop();
    cancelAnimationFrame(this.frame);
    this.strip?.unmount();
  };
}
