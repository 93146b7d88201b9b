/** @typedef {{left: number, whole: number, runs: boolean}} Passing milliseconds; `runs`: nothing holds them */

/** Milliseconds after which it is asked anew whether the way is free. */
const AGAIN = 500;

/**
 * Steps on by itself until the end or until stopped; while something holds it, the time that is left stands still.
 */
export class Player {
  /**
   * @param {{advance: () => boolean, ended: () => void, wait: () => number, busy?: () => boolean,
   *   passes?: (time: Passing|null) => void}} acts `advance` takes
   *   a step and says whether another remains, `wait` says how many seconds the step shown is to stay; `busy`:
   *   something lies over it; `passes` hears what is left of a step's time, null once it isn't played any more
   */
  constructor(acts) {
    this.acts = acts;
    this.playing = false;
    /** @type {Set<string>} what holds it */
    this.holds = new Set();
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.timer = undefined;
    this.whole = 0;
    this.left = 0;
    this.since = 0;
  }

  /** Gives the step shown its whole time, or less. @param {number} [most] seconds */
  start(most = Infinity) {
    this.playing = true;
    this.whole = Math.min(this.acts.wait(), most) * 1000;
    this.#wait(this.whole);
  }

  stop() {
    this.playing = false;
    clearTimeout(this.timer);
    this.acts.passes?.(null);
  }

  /** @param {string} by what holds it, or lets it go @param {boolean} holds */
  hold(by, holds) {
    if (this.holds.has(by) === holds) return;
    const held = this.holds.size > 0;
    if (holds) this.holds.add(by);
    else this.holds.delete(by);
    if (!this.playing || held === this.holds.size > 0) return;
    if (held) this.#wait(this.left);
    else {
      clearTimeout(this.timer);
      this.left = Math.max(0, this.left - (Date.now() - this.since));
      this.#tell();
    }
  }

  /** @param {number} milliseconds */
  #wait(milliseconds) {
    clearTimeout(this.timer);
    this.left = milliseconds;
    this.since = Date.now();
    if (this.holds.size === 0) this.timer = setTimeout(() => this.#tick(), milliseconds);
    this.#tell();
  }

  #tell() {
    this.acts.passes?.({ left: this.left, whole: this.whole, runs: this.holds.size === 0 });
  }

  #tick() {
    if (this.acts.busy?.()) return this.#wait(AGAIN);
    if (this.acts.advance()) this.start();
    else {
      this.stop();
      this.acts.ended();
    }
  }
}
