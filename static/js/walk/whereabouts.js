/** @typedef {import("./walk.js").Walk} Walk */

/**
 * @param {Walk} walk @param {import("./types.js").Step} step
 * @returns {string} which step of its direction it is, and in which block of the program: "16 / 31 · BatchNorm"
 */
export function whereabouts(walk, step) {
  const backward = step.direction === "backward";
  const [at, all] = backward
    ? [step.index - walk.forwardCount, walk.steps.length - walk.forwardCount]
    : [step.index, walk.forwardCount];
  return [`${at + 1} / ${all}`, groupOf(walk, step)].filter(Boolean).join(" · ");
}

/**
 * @param {Walk} walk @param {import("./types.js").Step} step
 * @returns {string|null} its block of the program: a step back belongs to the line that it goes back through
 */
export function groupOf(walk, step) {
  return walk.node((step.direction === "backward" && step.through) || step.node).group;
}
