import { axisName, labelOf } from "./labels.js";
import { unravel } from "./tensor.js";
/** @typedef {import("./frame.js").Frame} Frame */
/** @typedef {import("./types.js").Wire} Wire */
/** @typedef {{shape: number[], dims: string[]}} Side the axes that run along one side of the matrix, flattened */
/**
 * What POST /api/jacobian answers: how each cell of `node` moves with each cell of `input`, whole or for one example.
 * @typedef {{node: string, input: string, example: number|null, examples: number|null, rows: Side, columns: Side,
 *   jacobian: Wire, arriving: Wire, result: Wire, shown: Wire|null, agrees: boolean, across: boolean,
 *   structure: string, words: string}} Jacobian
 * @typedef {{node: string, input: string, example?: number}} Question
 */

const WHOLE = 4096;
const MOST = { cells: 65536, rows: 256, cols: 1024 };

/** @param {Frame} frame @returns {boolean} whether this step goes through a line that has a Jacobian by what is shown */
export function hasJacobian({ walk, step, node, inspecting, asking }) {
  if (inspecting || asking || step.direction !== "backward" || step.inner || !step.through || node.inner) return false;
  return walk.node(step.through).inputs.includes(node.name);
}

/** @param {Frame} frame @returns {import("./types.js").WalkNode} what the step comes through */
function throughOf({ walk, step, node }) {
  return walk.node(step.direction === "backward" && step.through ? step.through : node.name);
}

/** @param {Frame} frame whole where that is small, else for the example whose cell is picked @returns {Question} */
export function questionOf(frame) {
  const through = throughOf(frame);
  const question = { node: through.name, input: frame.node.name };
  const small = sizeOf(through.shape) * sizeOf(frame.node.shape) <= WHOLE;
  return small || !hasExamples(frame) ? question : { ...question, example: exampleOf(frame) };
}

/** @param {Frame} frame @returns {boolean} whether both run over the same examples */
function hasExamples(frame) {
  const [through, { shape, dims }] = [throughOf(frame), frame.node];
  return through.shape.length > 0 && shape.length > 0 && through.shape[0] === shape[0] && through.dims[0] === dims[0];
}

/** @param {Frame} frame @returns {string} why its Jacobian is not drawn, empty where it is */
export function tooLargeWords(frame) {
  const [through, { shape, variable }] = [throughOf(frame), frame.node];
  const examples = hasExamples(frame);
  const [rows, cols] = [through.shape, shape].map((one) => sizeOf(examples ? one.slice(1) : one));
  if (rows * cols <= MOST.cells && rows <= MOST.rows && cols <= MOST.cols) return "";
  const size = `${rows.toLocaleString("en")} rows and ${cols.toLocaleString("en")} columns`;
  if (examples) return `Even for one example this Jacobian has ${size}: more than can be drawn.`;
  return `This Jacobian has ${size}: more than can be drawn. \`${through.variable}\` and \`${variable}\` share no examples, so it does not fall into smaller ones. The equation shows what becomes of it when the gradient arrives.`;
}

/** @param {number[]} shape */
function sizeOf(shape) {
  return shape.reduce((a, b) => a * b, 1);
}

/** @param {Frame} frame @returns {number} the example of the picked cell, be it picked in the input or in what it goes into */
export function exampleOf({ state, step, node }) {
  const through = step.direction === "backward" ? step.through : null;
  const here = state.tensor === null || state.tensor === node.name || state.tensor === through;
  const row = here ? state.cell?.[0] ?? 0 : 0;
  return row < (node.shape[0] ?? 1) ? row : 0;
}

/** @param {Side} side @returns {string} its axes; one kept with a single cell has nothing to say */
export function sideTitle({ shape, dims }) {
  return dims.map((dim, axis) => (shape[axis] === 1 ? "" : axisName(dim, axis))).filter(Boolean).join(" · ");
}

/** @param {Record<string, string[]>} labels @param {Side} side @returns {string[]} one name for each place along the side */
export function sideNames(labels, { shape, dims }) {
  return Array.from({ length: sizeOf(shape) }, (_, flat) => unravel(shape, flat)
    .map((position, axis) => (shape[axis] === 1 ? "" : labelOf(labels, dims[axis], position) ?? String(position))).filter(Boolean).join("·"));
}

/** @param {number|null} example @param {Side} side @param {number} flat @returns {number[]} the cell of the whole tensor */
export function cellOf(example, { shape }, flat) {
  return [...(example === null ? [] : [example]), ...unravel(shape, flat)];
}

/** @param {Jacobian} jacobian @param {[string, string]} variables of node and input @param {number} row @param {number} col @returns {string} "∂probs[3, 5] / ∂counts[3, 7]" */
export function partialText({ example, rows, columns }, [above, below], row, col) {
  const index = (/** @type {Side} */ side, /** @type {number} */ flat) => {
    const cell = cellOf(example, side, flat);
    return cell.length ? `[${cell.join(", ")}]` : "";
  };
  return `∂${above}${index(rows, row)} / ∂${below}${index(columns, col)}`;
}

/** @param {Record<string, string[]>} labels @param {Jacobian} jacobian @param {number} row @param {number} col @returns {string} "class e by class g" */
export function partialWords(labels, { rows, columns }, row, col) {
  const [above, below] = [placeWords(labels, rows, row), placeWords(labels, columns, col)];
  return above && below ? `${above} by ${below}` : above || below;
}

/** @param {Record<string, string[]>} labels @param {Side} side @param {number} flat */
function placeWords(labels, { shape, dims }, flat) {
  return unravel(shape, flat).flatMap((position, axis) => (shape[axis] === 1 ? [] : [`${axisName(dims[axis], axis)} ${labelOf(labels, dims[axis], position) ?? position}`])).join(", ");
}
