/** @typedef {import("../walk/walk.js").Walk} Walk */

/** @param {Walk} walk @param {string} name @returns {{line: number, source: string}[]} the lines that read a tensor */
export function usesOf(walk, name) {
  return walk.document.nodes.flatMap(({ inputs, line, source }) =>
    inputs.includes(name) && line !== null ? [{ line, source: source ?? "" }] : [],
  );
}

/**
 * @param {Walk} walk @param {string} name
 * @returns {number|null} the step that completes its gradient
 */
export function lastStepOf(walk, name) {
  return walk.backwardIndex.get(name)?.at(-1) ?? null;
}

/** @param {Walk} walk @param {string} name @returns {string} the printed lines of its gradient */
export function printedLines(walk, name) {
  return (walk.backwardIndex.get(name) ?? []).map((index) => walk.steps[index].code).join("\n");
}
