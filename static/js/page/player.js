/** Seconds a step is shown for at each speed, 1 … 9. */
export const PACE = [4, 3, 2.2, 1.6, 1.15, 0.8, 0.55, 0.38, 0.25];

/** Steps on by itself, at a speed from 1 to 9, until the end or until stopped. */
export class Player {
  /** @param {() => boolean} advance takes one step and says whether another remains @param {() => void} ended */
  constructor(advance, ended) {
    this.advance = advance;
    this.ended = ended;
    this.speed = 4;
    /** @type {ReturnType<typeof setTimeout>|null} */
    this.timer = null;
  }

  get playing() {
    return this.timer !== null;
  }

  /** @param {number} speed 1 … 9 */
  start(speed) {
    this.stop();
    this.speed = speed;
    this.timer = setTimeout(() => this.#tick(), PACE[speed - 1] * 1000);
  }

  stop() {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  #tick() {
    if (this.advance()) this.start(this.speed);
    else {
      this.stop();
      this.ended();
    }
  }
}
