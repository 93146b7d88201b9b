import { at as pageAt, pathOf } from "../shared/address.js";
/**
 * What is practised: a lesson with its seed, or a program in the fragment, packed as Your code packs it; `at` is the
 * gradient that is open.
 * @typedef {{lesson: string, seed: number|null, hash: string, at: string|null}} Subject
 */

/** @param {URL} url @param {string} fallback lesson when the path names none @returns {Subject} */
export function subjectOf(url, fallback) {
  const lesson = /^\/practise\/([^/]+)\/?$/.exec(pathOf(url))?.[1];
  const seed = url.searchParams.get("seed") ?? "";
  return {
    lesson: lesson ? decodeURIComponent(lesson) : fallback,
    seed: /^\d{1,15}$/.test(seed) ? Number(seed) : null,
    hash: url.hash.startsWith("#p=") ? url.hash : "",
    at: url.searchParams.get("at") || null,
  };
}

/** @param {Subject} subject @returns {string} no answer stands in it */
export function addressOf({ lesson, seed, hash, at }) {
  const query = new URLSearchParams();
  if (seed !== null && !hash) query.set("seed", String(seed));
  if (at) query.set("at", at);
  const text = query.size ? `?${query}` : "";
  return pageAt(hash ? `/practise${text}${hash}` : `/practise/${encodeURIComponent(lesson)}${text}`);
}

/**
 * @param {Subject} subject @param {number} index of a step @param {boolean} write as long as the line is not written
 *   here, it is a field there, too
 * @returns {string} where the walk shows that step
 */
export function stepAddress({ lesson, seed, hash }, index, write) {
  const query = new URLSearchParams();
  if (seed !== null && !hash) query.set("seed", String(seed));
  query.set("step", String(index + 1));
  if (write) query.set("write", "1");
  return pageAt(hash ? `/code?${query}${hash}` : `/walk/${encodeURIComponent(lesson)}?${query}`);
}
