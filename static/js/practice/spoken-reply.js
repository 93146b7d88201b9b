import { spoken } from "../shared/prose.js";
/** @typedef {import("./attempts.js").Reply} Reply */

/**
 * @param {string} name of the gradient @param {Reply} reply
 * @returns {string} what the live region says of an answer
 */
export function replyWords(name, { correct, verdict, diagnosis, zero }) {
  const words = correct ? [verdict, zero] : [diagnosis?.message ?? verdict];
  return `${name} is ${correct ? "right" : "not right yet"}. ${spoken(words.filter(Boolean).join(" "))}`;
}
