/** @typedef {import("./walk.js").Walk} Walk */

/**
 * @param {Walk} walk @param {import("./types.js").Step} step
 * @returns {string} which step of the walk it is, and in which block of the program: "36 / 51 · BatchNorm"
 */
export function whereabouts(walk, step) {
  return [`${step.index + 1} / ${walk.steps.length}`, groupOf(walk, step)].filter(Boolean).join(" · ");
}

/**
 * @param {Walk} walk @param {import("./types.js").Step} step
 * @returns {string|null} its block of the program: a step back belongs to the line that it goes back through
 */
export function groupOf(walk, step) {
  return walk.node((step.direction === "backward" && step.through) || step.node).group;
}
