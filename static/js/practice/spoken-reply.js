import { LEVELS } from "../walk/verdict-levels.js";
import { spoken } from "../shared/prose.js";
/** @typedef {import("./attempts.js").Reply} Reply */

/**
 * @param {Reply} reply
 * @returns {string} a right answer beside autograd's, why the gradient is zero where it is, and what makes no
 *   difference here; or what is wrong
 */
export function wordsOf({ correct, verdict, diagnosis, zero }) {
  if (!correct) return diagnosis?.message ?? "This is not the gradient.";
  const sentence = LEVELS[verdict?.level ?? ""]?.[2] ?? "";
  const why = zero || (sentence && `${sentence[0].toUpperCase()}${sentence.slice(1)}.`);
  return [why, diagnosis?.message].filter(Boolean).join(" ");
}

/**
 * @param {string} name of the gradient @param {Reply} reply
 * @returns {string} what the live region says of an answer
 */
export function replyWords(name, reply) {
  return `${name} is ${reply.correct ? "right" : "not right yet"}. ${spoken(wordsOf(reply))}`;
}
