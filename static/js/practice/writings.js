import { UNTRIED, checked, hinted, shown, typed } from "./attempts.js";
import { isWritable } from "./contribution.js";
/** @typedef {import("./attempts.js").Attempt} Attempt */
/** @typedef {import("./attempts.js").Reply} Reply */
/** @typedef {import("../walk/types.js").Step} Step */
/** @typedef {import("../walk/walk.js").Walk} Walk */

/** The backward lines that a person writes in this session, step by step, and what was said of them. */
export class Writings {
  constructor() {
    /** @type {Map<string, Attempt>} */
    this.attempts = new Map();
    /** @type {Map<string, Reply>} */
    this.replies = new Map();
  }

  /** @param {Step} step @returns {string} */
  key(step) {
    return `${step.index}:${step.code}`;
  }

  /** @param {Step} step @returns {Attempt} */
  at(step) {
    return this.attempts.get(this.key(step)) ?? UNTRIED;
  }

  /** @param {Step} step @returns {Reply|null} to what stands there */
  replyTo(step) {
    return this.replies.get(this.key(step)) ?? null;
  }

  /** @param {Walk} walk @param {Step} step @returns {boolean} true while the line is still to be written */
  isOpen(walk, step) {
    return isWritable(walk, step) && !this.at(step).outcome;
  }

  /** @param {Step} step @param {string} text */
  type(step, text) {
    if (this.at(step).text === text) return;
    this.attempts.set(this.key(step), typed(this.at(step), text));
    this.replies.delete(this.key(step));
  }

  /** @param {Step} step @param {string} text @param {Reply} reply */
  answer(step, text, reply) {
    this.attempts.set(this.key(step), checked(this.at(step), text, reply));
    // who has gone on typing meanwhile is told nothing about another text
    if (this.at(step).text === text) this.replies.set(this.key(step), reply);
  }

  /** @param {Step} step @param {string[]} hints */
  hint(step, hints) {
    this.attempts.set(this.key(step), hinted(this.at(step), hints));
  }

  /** @param {Step} step its line takes its place without having been written */
  show(step) {
    this.attempts.set(this.key(step), shown(this.at(step), step.code));
  }

  /** @returns {string} "2 of 3 right" */
  get score() {
    const done = [...this.attempts.values()].filter(({ outcome }) => outcome);
    return `${done.filter(({ outcome }) => outcome === "right").length} of ${done.length} right`;
  }
}
