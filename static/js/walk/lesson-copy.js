/**
 * @typedef {{lesson: string, seed: number|null, line: number|null}} Copy a lesson taken over as a program of one's own,
 *   perhaps with a line to open
 */

/** @param {Copy} copy @returns {string} the address where it is one's own */
export function copyAddress({ lesson, seed, line }) {
  const query = new URLSearchParams({ lesson });
  if (seed !== null) query.set("seed", String(seed));
  if (line !== null) query.set("open", String(line));
  return `/code?${query}`;
}

/** @param {URL} url @returns {Copy|null} */
export function copyIn(url) {
  const lesson = url.searchParams.get("lesson");
  return lesson
    ? { lesson, seed: whole(url.searchParams.get("seed")), line: whole(url.searchParams.get("open")) }
    : null;
}

/** @param {string|null} text */
function whole(text) {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
