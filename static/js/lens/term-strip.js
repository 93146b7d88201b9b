import { ravel } from "../shared/tensor.js";
/** @typedef {import("./lens.js").Answer} Answer */
/** @typedef {import("./lens.js").Term} Term */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {{groups: Term[][], peak: number}} Strip */

/**
 * The terms in the order of their cells, by the tensor they go through: what collapses into the one number.
 * @param {Walk} walk @param {Answer} answer @returns {Strip|null} null where nothing runs together
 */
export function stripOf(walk, { terms, adds, sum }) {
  if (!adds || terms.length < 2) return null;
  /** @type {Map<string, {at: number, term: Term}[]>} */
  const groups = new Map();
  for (const term of terms) {
    const group = groups.get(term.through) ?? [];
    group.push({ at: ravel(walk.node(term.through).shape, term.cell), term });
    groups.set(term.through, group);
  }
  const sizes = terms.map((term) => Math.abs(term.product ?? 0)).filter(Number.isFinite);
  const ordered = [...groups.values()].map((group) => group.sort((a, b) => a.at - b.at).map(({ term }) => term));
  return { groups: ordered, peak: Math.max(0, ...sizes, Number.isFinite(sum) ? Math.abs(sum) : 0) };
}
