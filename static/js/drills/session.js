import { UNTRIED } from "../practice/attempts.js";
import { countKinds } from "../practice/mistake-kinds.js";
/** @typedef {import("../practice/attempts.js").Attempt} Attempt */
/** @typedef {import("./deck.js").Drill} Drill */
/**
 * A deck being gone through: its cards with what was written on each, and the one in hand.
 * @typedef {{drill: Drill, attempt: Attempt, again: boolean}} Card `again`: it came back after it had been wrong
 * @typedef {{cards: Card[], at: number}} Session
 */

/** A card that was not right at once comes back behind so many others. */
const BEHIND = 3;

/** @param {Drill[]} deck @returns {Session} */
export function started(deck) {
  return { cards: deck.map((drill) => ({ drill, attempt: UNTRIED, again: false })), at: 0 };
}

/** @param {Session} session @returns {Card|null} the one in hand; null at the end */
export function cardOf({ cards, at }) {
  return cards[at] ?? null;
}

/** @param {Session} session @param {Attempt} attempt @returns {Session} */
export function written(session, attempt) {
  const cards = session.cards.map((card, i) => (i === session.at ? { ...card, attempt } : card));
  return { ...session, cards };
}

/** @param {Attempt} attempt @returns {boolean} whether it was right at the first try, without a hint */
export function atOnce({ outcome, tries, hints }) {
  return outcome === "right" && tries === 1 && !hints.length;
}

/** @param {Session} session @returns {Session} the next card; the one in hand comes back if it was not right at once */
export function advanced({ cards, at }) {
  const { drill, attempt } = cards[at];
  const rest = cards.slice(at + 1);
  const back = atOnce(attempt) ? [] : [{ drill, attempt: UNTRIED, again: true }];
  return { cards: [...cards.slice(0, at + 1), ...rest.slice(0, BEHIND), ...back, ...rest.slice(BEHIND)], at: at + 1 };
}

/**
 * @typedef {{drill: Drill, atOnce: boolean, kinds: string[]}} Result of one drill, the first time that it was asked
 * @param {Session} session
 * @returns {{results: Result[], right: number, kinds: {kind: string, count: number}[]}} what a teacher wants to know
 */
export function resultsOf({ cards, at }) {
  const first = cards.slice(0, at).filter(({ again }) => !again);
  const results = first.map(({ drill, attempt }) => ({
    drill,
    atOnce: atOnce(attempt),
    kinds: countKinds(attempt.mistakes).map(({ kind }) => kind),
  }));
  const mistakes = cards.slice(0, at).flatMap(({ attempt }) => attempt.mistakes);
  return { results, right: results.filter((one) => one.atOnce).length, kinds: countKinds(mistakes) };
}
