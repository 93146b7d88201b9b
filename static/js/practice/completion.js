/** @typedef {{name: string, shape: number[]|null}} Named a name in scope; a plain number has no shape */
/** @typedef {{from: number, to: number, word: string}} Place the name that is being typed: its characters, and it */

const MOST = 12;

/**
 * @param {string} text @param {number} caret
 * @returns {Place|null} the name that ends at the caret; null within a number, a method or a comment
 */
export function placeAt(text, caret) {
  const line = text.slice(0, caret).split("\n").pop() ?? "";
  if (line.includes("#")) return null;
  const word = /[A-Za-z_]\w*$/.exec(line)?.[0] ?? "";
  const before = line.slice(0, line.length - word.length);
  if (/[\w.]$/.test(before)) return null;
  const rest = /^\w*/.exec(text.slice(caret))?.[0] ?? "";
  return { from: caret - word.length, to: caret + rest.length, word };
}

/**
 * @param {Named[]} scope @param {string} word
 * @returns {Named[]} what the word may become: names that begin with it, then those that have it inside
 */
export function offers(scope, word) {
  const wanted = word.toLowerCase();
  const begin = scope.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  const within = wanted ? scope.filter(({ name }) => name.toLowerCase().indexOf(wanted) > 0) : [];
  return [...begin, ...within].slice(0, MOST);
}

/**
 * @param {Named[]} scope @param {string} text @param {number} caret
 * @returns {Named[]} what to offer while typing: nothing before the first letter, nor where the name is complete
 */
export function offersAt(scope, text, caret) {
  const place = placeAt(text, caret);
  if (!place || !place.word) return [];
  const found = offers(scope, place.word);
  return found.length === 1 && found[0].name === place.word ? [] : found;
}
