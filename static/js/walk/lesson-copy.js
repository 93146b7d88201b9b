import { changesIn, changesText } from "./changes.js";
import { at } from "../shared/address.js";
/**
 * @typedef {{lesson: string, seed: number|null, word: string, changes: import("./changes.js").Change[],
 *   line: number|null}} Copy
 *   a lesson taken over as a program of one's own, with what was changed by hand, perhaps with a line to open
 */

/** @param {Copy} copy @returns {string} the address where it is one's own */
export function copyAddress({ lesson, seed, word, changes, line }) {
  const query = new URLSearchParams({ lesson });
  if (seed !== null) query.set("seed", String(seed));
  if (word) query.set("word", word);
  if (line !== null) query.set("open", String(line));
  return at(`/code?${query}${changes.length ? `&changes=${changesText(changes)}` : ""}`);
}

/** @param {URL} url @returns {Copy|null} */
export function copyIn(url) {
  const lesson = url.searchParams.get("lesson");
  if (!lesson) return null;
  const [seed, line] = ["seed", "open"].map((name) => whole(url.searchParams.get(name)));
  const word = url.searchParams.get("word") ?? "";
  return { lesson, seed, word, changes: changesIn(url.searchParams.get("changes")), line };
}

/** @param {string|null} text */
function whole(text) {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
