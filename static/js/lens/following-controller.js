import { factored, followed, returned } from "../walk/trail.js";
/** @typedef {import("./lens.js").Term} Term */

/**
 * From number to number along the terms that they are made of, and the way back.
 * @param {import("./lens-controller.js").Looking} looking
 * @param {(next: Partial<import("../walk/store.js").State>) => void} jump
 */
export function makeFollowing(looking, jump) {
  /** @param {Partial<import("../walk/store.js").State>} next */
  function go(next) {
    looking.opened = true;
    jump(next);
  }

  /** @param {Term} term @param {boolean} [factor] to the cell that it is multiplied by */
  function follow(term, factor = false) {
    const next = looking.frame && (factor ? factored : followed)(looking.frame, term);
    if (next) go(next);
  }

  /** @param {number} position in the trail */
  function backTo(position) {
    const { frame } = looking;
    const next = frame && returned(frame.state, position);
    if (!next) return;
    looking.from = frame.state.trail.length - position === 1 ? frame.pick : null;
    go(next);
  }

  const length = () => looking.frame?.state.trail.length ?? 0;
  const leads = (/** @type {Term} */ term) => looking.frame !== null && followed(looking.frame, term) !== null;

  return {
    follow,
    backTo,
    leads,
    /** @returns {boolean} whether one had followed numbers here, and is where one came from again */
    home() {
      if (!length()) return false;
      backTo(0);
      return true;
    },
    /** @returns {boolean} whether there was a number to go back to */
    back() {
      const steps = length();
      if (steps) backTo(steps - 1);
      return steps > 0;
    },
    /**
     * @param {string} name
     * @returns {boolean} whether the open number has a term through this node, which is followed then
     */
    through(name) {
      const term = looking.answer?.terms.find((one) => one.through === name);
      if (!term || !leads(term)) return false;
      follow(term);
      return true;
    },
  };
}
