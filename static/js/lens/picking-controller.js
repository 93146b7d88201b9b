import { boxOf, closedWords, extended, loudest, markIn, opening, picked, shut } from "../walk/pick.js";
/** @typedef {import("../walk/pick.js").Subject} Subject */

/**
 * Which number is looked into: chosen by its cell, by its picture, or the loudest one there is.
 * @param {import("./lens-controller.js").Looking} looking @param {import("../walk/walk.js").Walk} walk
 * @param {import("./lens-controller.js").Acts} acts @param {() => void} focus into the number that is open
 */
export function makePicking(looking, walk, acts, focus) {
  /** @param {Subject} subject @param {number[]} cell */
  function pick(subject, cell) {
    const { frame } = looking;
    if (!frame) return;
    const first = frame.state.cell === null;
    looking.opened = frame.pick === null;
    acts.change(picked(frame, subject, cell));
    if (first) explain();
  }

  /** @returns {boolean} whether it had to be said why nothing opens */
  function explain() {
    const words = looking.frame ? closedWords(looking.frame) : "";
    if (words) acts.tell(words);
    return words !== "";
  }

  return {
    pick,
    /** @param {Subject} subject @param {number[]} cell up to which cells are chosen, from the one that is picked on */
    extend: (subject, cell) => {
      if (!looking.frame) return;
      acts.change(extended(looking.frame, subject, cell));
      const { cell: first, reach } = looking.frame.state;
      if (!first || !reach) return;
      const index = boxOf(first, reach).map(([from, end]) => `${from} to ${end - 1}`);
      acts.say(`${walk.node(subject.tensor).variable}: ${index.join(" by ")} chosen.`);
    },
    /** @param {Subject} subject @param {import("../shared/tensor.js").Tensor} tensor */
    enter: (subject, tensor) => {
      const { frame } = looking;
      if (!frame) return;
      const here = frame.pick && frame.state.of === subject.of ? markIn(frame, subject) : null;
      if (!here) pick(subject, markIn(frame, subject) ?? loudest(tensor));
      if (looking.frame?.pick) focus();
      else explain();
    },
    /** @param {Subject} subject @param {number[]} cell */
    look: (subject, cell) => {
      pick(subject, cell);
      if (looking.frame?.pick) focus();
    },
    /**
     * Into the number that is open, else the loudest of this node.
     * @returns {boolean} whether there is one, or it has been said why not
     */
    open() {
      const first = looking.frame && !looking.frame.pick ? opening(looking.frame) : null;
      if (first) pick(first.subject, first.cell);
      if (!looking.frame?.pick) return explain();
      focus();
      return true;
    },
    /** @returns {boolean} whether there was a number to close */
    close: () => {
      if (!looking.frame?.pick) return false;
      acts.change(shut(looking.frame));
      return true;
    },
  };
}
