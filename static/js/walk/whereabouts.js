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
  // a step back belongs to the line that it goes back through
  const { group } = walk.node((backward && step.through) || step.node);
  return [`${at + 1} / ${all}`, group].filter(Boolean).join(" · ");
}
