/**
 * Search in recorded pages: as `app/search.py` finds.
 * @typedef {{kind: string, title: string, heading: string, text: string, href: string, also: string, whole: boolean}}
 *   Entry a place that can be found; `also` are further words that count like its title, `whole` is a whole chapter
 */

// What a word counts: as the whole title, at the beginning of a word of it, elsewhere in it, in the text.
const WHOLE = 40;
const BEGINS = 20;
const WITHIN = 8;
const TEXT = 3;
const MOST_FOUND = 30;
const AROUND = 70;

/** @param {string} query @returns {string[]} */
export function wordsOf(query) {
  return (query.toLowerCase().match(/[^\s,;]+/g) ?? []).slice(0, 8);
}

/** @param {string[]} words @param {Entry[]} entries @returns {Entry[]} those with every word, best first */
export function found(words, entries) {
  if (!words.length) return [];
  const hits = entries.flatMap((entry) => {
    const points = words.map((word) => pointsOf(entry, word));
    return isHit(entry, points) ? [{ entry, points: points.reduce((sum, one) => sum + one, 0) }] : [];
  });
  const sections = new Set(hits.filter(({ entry }) => !entry.whole).map(({ entry }) => pageOf(entry)));
  return hits
    .filter(({ entry }) => !entry.whole || !sections.has(pageOf(entry)))
    .sort((one, other) => other.points - one.points)
    .slice(0, MOST_FOUND)
    .map(({ entry }) => entry);
}

/** @param {Entry} entry */
function pageOf({ href }) {
  return href.split("#")[0];
}

/** @param {Entry} entry @param {string} word @returns {number} 0 where it isn't in it */
function pointsOf({ title, heading, also, text }, word) {
  const titles = `${title}\n${heading}\n${also}`.toLowerCase();
  const inText = text.toLowerCase().includes(word) ? TEXT : 0;
  if (!titles.includes(word)) return inText;
  if (titles.split(/[\n|]/).includes(word)) return WHOLE + inText;
  const begins = new RegExp(`(?<![\\p{L}\\p{N}_])${word.replace(/[^\p{L}\p{N}_]/gu, "\\$&")}`, "u").test(titles);
  return (begins ? BEGINS : WITHIN) + inText;
}

/** @param {Entry} entry @param {number[]} points of each word: of three a whole chapter may lack one */
function isHit({ whole }, points) {
  const spared = whole && Math.max(...points) > TEXT ? Math.floor(points.length / 3) : 0;
  return points.filter((one) => one === 0).length <= spared;
}

/** @param {string} text @param {string[]} words @returns {string} what stands around the first of them */
export function excerpt(text, words) {
  if (text.length <= 2 * AROUND) return text;
  const low = text.toLowerCase();
  const places = words.map((word) => low.indexOf(word)).filter((at) => at >= 0);
  const first = Math.max(0, Math.min(...(places.length ? places : [0])) - AROUND);
  const begin = first ? text.indexOf(" ", first) + 1 : 0;
  const end = begin + 2 * AROUND < text.length ? text.lastIndexOf(" ", begin + 2 * AROUND) : text.length;
  return `${begin ? "…" : ""}${text.slice(begin, end)}${end < text.length ? "…" : ""}`;
}
