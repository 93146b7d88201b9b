/** @typedef {import("./walk.js").Walk} Walk */

/**
 * @param {Walk} walk @param {string} variable
 * @returns {string} as the code that was pasted calls it, such as `h.0.attn.c_attn.weight`
 */
export function calledIn(walk, variable) {
  return walk.document.found?.labels[variable] ?? variable;
}

/**
 * @param {Walk} walk @param {string} variable
 * @returns {string} the end of that where room is scarce, such as `c_attn.weight`; a number says nothing by itself
 */
export function shortIn(walk, variable) {
  const parts = calledIn(walk, variable).split(".");
  const from = Math.max(0, parts.length - 2);
  return parts.slice(/^\d+$/.test(parts[from]) ? Math.max(0, from - 1) : from).join(".");
}
