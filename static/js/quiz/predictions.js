/** @typedef {import("../walk/types.js").Step} Step */
/** @typedef {import("../walk/types.js").Question} Question */

/** What a person answered in this session, and how often it was right. */
export class Predictions {
  constructor() {
    /** @type {Map<string, number>} */
    this.answers = new Map();
    this.right = 0;
  }

  /** @param {Step} step @returns {Question|null} */
  questionOf(step) {
    return step.direction === "backward" ? step.question : null;
  }

  /** @param {Step} step @returns {string} */
  key(step) {
    return `${step.index}:${step.code}`;
  }

  /** @param {Step} step @returns {number|undefined} the choice made */
  answer(step) {
    return this.answers.get(this.key(step));
  }

  /** @param {Step} step @returns {boolean} true while the answer must stay hidden */
  asking(step) {
    return this.questionOf(step) !== null && this.answer(step) === undefined;
  }

  /**
   * @param {Step} step @param {number} choice
   * @returns {boolean|null} right or wrong; null if there was nothing to answer
   */
  choose(step, choice) {
    const question = this.questionOf(step);
    if (!question || !this.asking(step) || choice < 0 || choice >= question.choices.length) return null;
    this.answers.set(this.key(step), choice);
    const right = choice === question.answer;
    if (right) this.right += 1;
    return right;
  }

  /** @returns {string} "2 of 3 right" */
  get score() {
    return `${this.right} of ${this.answers.size} right`;
  }
}
