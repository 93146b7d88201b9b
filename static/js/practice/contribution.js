/** @typedef {import("../walk/types.js").Step} Step */
/** @typedef {import("../walk/types.js").BackwardStep} BackwardStep */
/** @typedef {import("../walk/walk.js").Walk} Walk */

/**
 * @param {Walk} walk @param {Step} step
 * @returns {boolean} whether the reader can write this step: one that brings something to the gradient of a name
 */
export function isWritable(walk, step) {
  return step.direction === "backward" && step.inner === null && step.through !== null && walk.nodes.has(step.node);
}

/** @param {BackwardStep} step @param {string} variable @returns {string} how its line begins: "dcounts += " */
export function beginningOf({ mode }, variable) {
  return `d${variable} ${mode} `;
}

/**
 * @param {Walk} walk @param {number} index @returns {{name: string, shape: number[]}[]} what a line of this step may
 *   use: values, and the gradients that the steps before it have made
 */
export function scopeAt(walk, index) {
  const named = [...walk.nodes.values()].filter(({ inner }) => !inner);
  const gradients = named.filter(({ name }) => walk.gradientAt(name, index - 1).stage !== "none");
  return [
    ...gradients.map(({ variable, shape }) => ({ name: `d${variable}`, shape })).reverse(),
    ...named.map(({ variable, shape }) => ({ name: variable, shape })),
  ];
}
