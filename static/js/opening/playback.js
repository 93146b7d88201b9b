import { lengthOf, lightAt, startOf, stillOf } from "./light.js";
/** @typedef {import("./moments.js").Moment} Moment */

/** Where the opening is, and whether it goes on by itself. */
export class Playback {
  /** @param {readonly Moment[]} moments */
  constructor(moments) {
    this.moments = moments;
    this.time = 0;
    this.playing = false;
  }

  /** @returns {number} which moment is seen */
  get at() {
    return lightAt(this.moments, this.time).at;
  }

  get over() {
    return this.time >= lengthOf(this.moments);
  }

  /** @returns {boolean} whether it stands still at its last moment */
  get ended() {
    return !this.playing && this.at === this.moments.length - 1;
  }

  /** @param {number} seconds that have gone by */
  advance(seconds) {
    if (!this.playing) return;
    this.time = Math.min(lengthOf(this.moments), this.time + seconds);
    if (this.over) this.playing = false;
  }

  /** Plays on, or from the start where it is over; or pauses. */
  toggle() {
    if (this.over) this.time = 0;
    this.playing = !this.playing;
  }

  /** @param {number} index the moment that is shown whole, and stays */
  stepTo(index) {
    const within = Math.max(0, Math.min(this.moments.length - 1, index));
    this.playing = false;
    this.time = stillOf(this.moments, within);
  }

  /** @param {number} index the moment from whose beginning it plays */
  playFrom(index) {
    this.time = startOf(this.moments, Math.max(0, Math.min(this.moments.length - 1, index)));
    this.playing = true;
  }
}
