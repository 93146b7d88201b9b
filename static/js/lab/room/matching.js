/**
 * @param {string} text what a card says @param {string} query
 * @returns {boolean} whether it has every word of a query, in any spelling of capitals
 */
export function matches(text, query) {
  const said = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word));
}
