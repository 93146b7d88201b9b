/** @typedef {import("./lens.js").Answer} Answer */
/** @typedef {import("./lens.js").Term} Term */
/** @typedef {import("../walk/pick.js").Subject} Subject */
/**
 * What an open number lights up elsewhere on the page: cells of other tensors, nodes, backward steps.
 * @typedef {{value: boolean, terms: Term[], nodes: Set<string>, steps: Set<number>}} Lights
 */

/** @param {Answer} answer @returns {Lights} */
export function highlightsOf({ which, terms, paths }) {
  const through = [...terms, ...paths].map((one) => one.through);
  const steps = paths.flatMap((path) => (path.step === null ? [] : [path.step]));
  return { value: which === "value", terms, nodes: new Set(through), steps: new Set(steps) };
}

/** @param {Lights} lights @param {Subject} subject @returns {Term[]} the terms whose cells lie in a picture of this */
export function termsIn({ value, terms }, { tensor, of }) {
  return (of === "value") === value ? terms.filter((term) => term.through === tensor) : [];
}

/**
 * The outline of lit cells: every side of one whose neighbour is dark.
 * @param {Set<number>} lit flat positions on a sheet @param {number} rows @param {number} cols
 * @returns {[number, number, number, number][]} column and row from, column and row to
 */
export function outline(lit, rows, cols) {
  /** @type {[number, number, number, number][]} */
  const sides = [];
  for (const flat of lit) {
    const [row, col] = [Math.floor(flat / cols), flat % cols];
    if (row === 0 || !lit.has(flat - cols)) sides.push([col, row, col + 1, row]);
    if (row === rows - 1 || !lit.has(flat + cols)) sides.push([col, row + 1, col + 1, row + 1]);
    if (col === 0 || !lit.has(flat - 1)) sides.push([col, row, col, row + 1]);
    if (col === cols - 1 || !lit.has(flat + 1)) sides.push([col + 1, row, col + 1, row + 1]);
  }
  return sides;
}
