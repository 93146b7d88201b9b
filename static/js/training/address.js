/**
 * What is trained, and in which run: a lesson by its name, or a program in the fragment, packed as Your code packs it.
 * @typedef {{lesson: string, hash: string, run: string|null}} Subject
 */

/** @param {URL} url @param {string} fallback lesson when the path names none @returns {Subject} */
export function subjectOf(url, fallback) {
  const lesson = /^\/train\/([^/]+)\/?$/.exec(url.pathname)?.[1];
  const run = url.searchParams.get("run") ?? "";
  return {
    lesson: lesson ? decodeURIComponent(lesson) : fallback,
    hash: url.hash.startsWith("#p=") ? url.hash : "",
    run: /^[\w-]{1,64}$/.test(run) ? run : null,
  };
}

/** @param {Subject} subject @returns {string} with it a reload goes on where the run was */
export function addressOf({ lesson, hash, run }) {
  const query = run ? `?run=${run}` : "";
  return hash ? `/train${query}${hash}` : `/train/${encodeURIComponent(lesson)}${query}`;
}

/** @param {Subject} subject @returns {string} the same without a program in it, which this tab remembers */
export function runAddress({ lesson, hash, run }) {
  const query = run ? `?run=${run}` : "";
  return hash ? `/train${query}` : `/train/${encodeURIComponent(lesson)}${query}`;
}
