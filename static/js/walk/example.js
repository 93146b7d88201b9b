/** @typedef {import("./walk.js").Walk} Walk */

/** What the axis of a batch is called. */
export const BATCH = "example";

/**
 * @param {Pick<import("./types.js").WalkDocument, "nodes">} sent @param {Record<string, number>} told in focus by the
 *   lesson itself
 * @returns {number} how many examples there are to choose from; none where the lesson tells of one of them
 */
export function examplesIn({ nodes }, told) {
  if (BATCH in told) return 0;
  return Math.max(0, ...nodes.map(({ dims, shape }) => (dims[0] === BATCH ? shape[0] : 0)));
}

/** @param {Walk} walk @param {number} example @returns {string} its index, and what it is where it has a name */
export function exampleWords(walk, example) {
  const name = walk.document.labels[BATCH]?.[example];
  return `Example ${example} (0 to ${walk.examples - 1})${name ? `: ${name}` : ""}`;
}
