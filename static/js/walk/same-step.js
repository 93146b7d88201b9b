/** @typedef {import("./types.js").Step} Step */
/** @typedef {import("./walk.js").Walk} Walk */

/**
 * The place in another walk that shows what a step of this one shows: the same tensor's line or gradient, even where
 * lines before it are gone or names are others.
 * @param {Walk} before @param {number} index @param {Walk} made
 * @returns {{step: number, node?: string}} with the tensor beside it, where it has no step any more
 */
export function sameStep(before, index, made) {
  const step = before.steps[before.clamp(index)];
  const variable = variableOf(before, step.node);
  const turn = alike(before, step, before).findIndex((one) => one === step);
  const [same, last] = [alike(made, step, before)[turn], onSame(made, step, variable).at(-1)];
  if (same ?? last) return { step: /** @type {Step} */ (same ?? last).index };
  const node = made.document.nodes.find((one) => one.variable === variable);
  return { step: made.clamp(index), ...(node ? { node: node.name } : {}) };
}

/** @param {Walk} walk @param {Step} step @param {string} variable @returns {Step[]} of the same tensor, the same way */
function onSame(walk, step, variable) {
  return walk.steps.filter((one) => one.direction === step.direction && variableOf(walk, one.node) === variable);
}

/**
 * @param {Walk} walk @param {Step} step @param {Walk} home the walk that it is of
 * @returns {Step[]} of the same tensor, the same way and along the same path
 */
function alike(walk, step, home) {
  const through = throughOf(home, step);
  return onSame(walk, step, variableOf(home, step.node)).filter((one) => throughOf(walk, one) === through);
}

/** @param {Walk} walk @param {string} name */
function variableOf(walk, name) {
  return walk.node(name).variable;
}

/** @param {Walk} walk @param {Step} step @returns {string|null} which of the paths that lead to a gradient it is */
function throughOf(walk, step) {
  return step.direction === "backward" && step.through ? variableOf(walk, step.through) : null;
}
