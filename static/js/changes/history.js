import { changesText } from "../walk/changes.js";
/** @typedef {import("../walk/changes.js").Change} Change */

/** What was changed before what is changed now, so that it can be undone and done again. */
export class History {
  /** @param {Change[]} first */
  constructor(first) {
    this.now = first;
    /** @type {Change[][]} */
    this.past = [];
    /** @type {Change[][]} */
    this.future = [];
  }

  /** @param {Change[]} changes that are made now, by whatever way */
  note(changes) {
    if (changesText(changes) === changesText(this.now)) return;
    this.past.push(this.now);
    this.future = [];
    this.now = changes;
  }

  /** @returns {Change[]|null} as it was before; without its last change, where nothing is known of a before */
  undo() {
    const before = this.past.pop() ?? (this.now.length ? this.now.slice(0, -1) : null);
    return before && this.#go(before, this.future);
  }

  /** @returns {Change[]|null} what was undone last */
  redo() {
    const after = this.future.pop();
    return after ? this.#go(after, this.past) : null;
  }

  /** @param {Change[]} changes @param {Change[][]} left where what there is now is kept */
  #go(changes, left) {
    left.push(this.now);
    this.now = changes;
    return changes;
  }
}
