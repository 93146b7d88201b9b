/** @typedef {{name: string, spellings: string[], prose: string}} Entry one operation as the page tells it */
/**
 * @typedef {{written: Set<string>, mentioned: Set<string>}} Found names of operations: written like that, or only told
 *   of in its words
 */

/**
 * @param {string} text
 * @returns {string} letters and signs that people leave out or add differ no more: crossentropy, cross_entropy, cross
 *   entropy
 */
function plain(text) {
  return text.toLowerCase().replace(/[\s_]+/g, "");
}

/**
 * Finds operations by what somebody types.
 * @param {Entry[]} entries @param {string} query @returns {Found} all of them as `written` for an empty query
 */
export function find(entries, query) {
  const words = query.trim().split(/\s+/).map(plain).filter(Boolean);
  const whole = plain(query);
  /** @type {Found} */
  const found = { written: new Set(), mentioned: new Set() };
  for (const { name, spellings, prose } of entries) {
    const written = plain([name, ...spellings].join(" "));
    if (written.includes(whole) || words.every((word) => written.includes(word))) found.written.add(name);
    else if (words.every((word) => written.includes(word) || plain(prose).includes(word))) found.mentioned.add(name);
  }
  return found;
}

/**
 * @param {Found} found @param {string} query @param {boolean} all whether those that only mention it are shown, too
 * @returns {string}
 */
export function countText(found, query, all) {
  const { written, mentioned } = found;
  if (!query.trim()) return `${written.size} operations`;
  const shown = all ? written.size + mentioned.size : written.size;
  return shown === 1 ? "1 operation" : `${shown} operations`;
}
