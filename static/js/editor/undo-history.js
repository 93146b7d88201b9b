const MOST = 200;
const PAUSE = 1500;

/** Undo and redo over values that are replaced whole; a run of changes to one thing counts as one. @template T */
export class History {
  /** @param {T} present @param {(value: T) => string} content what makes two values the same */
  constructor(present, content) {
    this.present = present;
    this.content = content;
    /** @type {T[]} */
    this.past = [];
    /** @type {T[]} */
    this.future = [];
    this.run = { tag: "", at: 0 };
  }

  /**
   * @param {T} next @param {string} [tag] changes that follow each other closely with the same tag are one
   * @param {number} [now] in milliseconds
   */
  record(next, tag = "", now = performance.now()) {
    if (this.content(next) === this.content(this.present)) return;
    const continues = tag !== "" && tag === this.run.tag && now - this.run.at < PAUSE && this.past.length > 0;
    if (!continues) this.past = [...this.past.slice(1 - MOST), this.present];
    this.present = next;
    this.future = [];
    this.run = { tag, at: now };
    // what was typed and taken back by the field's own undo leaves no step behind
    if (continues && this.content(next) === this.content(this.past[this.past.length - 1])) this.past.pop();
  }

  /** @returns {boolean} whether there was something to undo */
  undo() {
    return this.#move(this.past, this.future);
  }

  /** @returns {boolean} whether there was something to redo */
  redo() {
    return this.#move(this.future, this.past);
  }

  /** @param {T[]} from @param {T[]} to */
  #move(from, to) {
    const next = from.pop();
    if (next === undefined) return false;
    to.push(this.present);
    this.present = next;
    this.run = { tag: "", at: 0 };
    return true;
  }
}
