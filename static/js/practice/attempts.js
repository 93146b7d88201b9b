import { counted } from "../shared/plural.js";
/** @typedef {import("./types.js").Diagnosis} Diagnosis */
/** @typedef {import("./types.js").Shown} Comparison the reader's gradient beside the true one */
/** @typedef {import("./types.js").Checked} Reply what the server says of an answer */
/**
 * One gradient to be written: what was typed, the text that was accepted, how it came to that; `wrong` are the last
 * texts that were not.
 * @typedef {{text: string, accepted: string, tries: number, hints: string[], outcome: ""|"right"|"shown",
 *   mistakes: string[], wrong: string[]}} Attempt
 */

/** Rule, axis or shape, line. */
export const GRADES = 3;

/** Wrong texts that are kept of one gradient. */
export const MOST_WRONG = 20;

/** @type {Readonly<Attempt>} */
export const UNTRIED = Object.freeze({
  ...{ text: "", accepted: "", tries: 0, hints: [], outcome: "", mistakes: [], wrong: [] },
});

/** @param {Attempt} attempt @param {string} text @returns {Attempt} */
export function typed(attempt, text) {
  return { ...attempt, text };
}

/**
 * @param {Attempt} attempt @param {string} text what was checked @param {Reply} reply
 * @returns {Attempt} a line that was right stays counted as it was first, whatever is tried afterwards
 */
export function checked(attempt, text, { correct, diagnosis, hints }) {
  const known = hints.length > attempt.hints.length ? hints : attempt.hints;
  const accepted = correct ? text : attempt.accepted;
  if (attempt.outcome) return { ...attempt, accepted, hints: known };
  const mistakes = correct || !diagnosis ? attempt.mistakes : [...attempt.mistakes, diagnosis.code];
  const wrong = correct ? attempt.wrong : [...attempt.wrong, text.trim()].slice(-MOST_WRONG);
  const outcome = correct ? "right" : "";
  return { ...attempt, accepted, hints: known, mistakes, wrong, tries: attempt.tries + 1, outcome };
}

/** @param {Attempt} attempt @param {string[]} hints @returns {Attempt} */
export function hinted(attempt, hints) {
  return attempt.outcome ? attempt : { ...attempt, hints };
}

/** @param {Attempt} attempt @param {string} line the one that was asked for @returns {Attempt} */
export function shown(attempt, line) {
  return { ...attempt, text: line, accepted: line, outcome: attempt.outcome || "shown" };
}

/** @param {Attempt} attempt @returns {boolean} whether what stands there was accepted as it is */
export function stands({ text, accepted, outcome }) {
  return outcome !== "" && text.trim() === accepted.trim();
}

/** @param {Attempt} attempt @param {string} name of the gradient @returns {boolean} whether anything was written */
export function isBlank({ text }, name) {
  return text.trim() === "" || text.replace(/\s+/g, "") === `${name}=`;
}

/** @param {Attempt} attempt @returns {string} how it came out: "right after 2 hints" */
export function outcomeText({ outcome, tries, hints }) {
  if (outcome === "shown") return "shown";
  if (outcome === "") return tries ? "not yet right" : "not tried";
  if (hints.length) return `right after ${counted(hints.length, "hint")}`;
  return tries === 1 ? "right at the first try" : `right after ${counted(tries, "try")}`;
}
