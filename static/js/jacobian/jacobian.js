import { axisName, labelOf } from "../shared/axis-labels.js";
import { ravel, unravel } from "../shared/tensor.js";
import { numel } from "../shared/shape.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/types.js").Wire} Wire */
/** @typedef {import("../lens/types.js").MatrixSide} MatrixSide */
/** @typedef {import("../lens/types.js").LocalJacobian} Jacobian */
/** @typedef {import("../lens/types.js").TooLargeJacobian} TooLarge */
/**
 * @typedef {[number, number]} Pair
 * @typedef {{node: string, input: string, tensor: string, cell: number[], along?: Pair}} Question `along`: as chosen
 */

/**
 * @param {Frame} frame @returns {boolean} whether this step goes through a line that has a Jacobian by what is shown
 */
export function hasJacobian({ walk, step, node, inspecting, asking }) {
  if (inspecting || asking || step.direction !== "backward" || step.inner || !step.through || node.inner) return false;
  return walk.node(step.through).inputs.includes(node.name);
}

/** @param {Frame} frame @returns {import("../walk/types.js").WalkNode} what the step comes through */
function throughOf({ walk, step, node }) {
  return walk.node(step.direction === "backward" && step.through ? step.through : node.name);
}

/**
 * @param {Frame} frame @param {Pair|null} [along] the axes that were chosen
 * @returns {Question} around the picked cell, be it picked in the input or in what it goes into
 */
export function questionOf(frame, along = null) {
  const { state, node } = frame;
  const through = throughOf(frame);
  const about = state.tensor === through.name ? through : node;
  const cell = (state.tensor ?? node.name) === about.name ? state.cell : null;
  const inside = cell !== null && ravel(about.shape, cell) >= 0;
  const around = { tensor: about.name, cell: inside ? cell : about.shape.map(() => 0) };
  return { node: through.name, input: node.name, ...around, ...(along ? { along } : {}) };
}

/**
 * @param {Pick<Jacobian, "along"|"at">} answer @param {Question} question about the same two tensors
 * @returns {boolean} whether it answers this one, too
 */
export function holds({ along, at }, { node, tensor, cell }) {
  return along.every((pair, i) => cell[pair[tensor === node ? 0 : 1]] === at[i]);
}

/** @param {Frame} frame @param {Jacobian} answer @returns {number[]} of each held axis the number of its entries */
function lengths({ node }, { along }) {
  return along.map(([, axis]) => node.shape[axis]);
}

/**
 * @param {Frame} frame @param {Jacobian} answer @param {number} by
 * @returns {number[]} a cell of the input in a block further on, or back
 */
export function cellBeside(frame, answer, by) {
  const sizes = lengths(frame, answer);
  const count = numel(sizes);
  const at = unravel(sizes, (ravel(sizes, answer.at) + by + count) % count);
  const { tensor, node, cell } = questionOf(frame);
  const next = tensor === node ? frame.node.shape.map(() => 0) : [...cell];
  answer.along.forEach(([, axis], i) => (next[axis] = at[i]));
  return next;
}

/** @param {Frame} frame @param {Jacobian} answer @returns {string[]} what its block is called: "class 5" */
export function blockNames({ node }, { along, at }) {
  return along.map(([, axis], i) => `${axisName(node.dims[axis], axis)} ${at[i]}`);
}

/**
 * @param {Frame} frame @param {Jacobian} answer
 * @returns {string} which axes both share, why it falls apart along them, and into how many blocks; empty where it is
 *   shown whole
 */
export function blocksWords(frame, answer) {
  const { along, apart } = answer;
  if (!along.length || !apart) return "";
  const [above, below] = [throughOf(frame), frame.node];
  const every = along.map(([mine]) => entryWords("each", axisName(above.dims[mine], mine))).join(" and ");
  const same = along.map(([, other]) => entryWords("the same", axisName(below.dims[other], other))).join(" and ");
  const count = numel(lengths(frame, answer)).toLocaleString("en");
  return (
    `${every[0].toUpperCase()}${every.slice(1)} of \`${above.variable}\` depends on ${same} of ` +
    `\`${below.variable}\` alone: ${count} blocks, zeros elsewhere.`
  );
}

/** @param {string} which @param {string} axis @returns {string} "each class", "the same entry of axis 1" */
function entryWords(which, axis) {
  return axis.startsWith("axis ") ? `${which} entry of ${axis}` : `${which} ${axis}`;
}

/** @typedef {{along: Pair|null, text: string, now: boolean}} Way */

/**
 * @param {Frame} frame @param {Jacobian} answer
 * @returns {Way[]} how it can be cut into blocks, none where there is nothing to choose
 */
export function waysOf(frame, { ways, along, small }) {
  const now = along.length === 1 ? along[0].join() : "";
  const cut = ways.map((pair) => ({
    along: pair,
    text: axisName(frame.node.dims[pair[1]], pair[1]),
    now: pair.join() === now,
  }));
  const all = small ? [{ along: null, text: "whole", now: along.length === 0 }, ...cut] : cut;
  return all.length > 1 ? all : [];
}

/** @param {MatrixSide} side @returns {string} the index of what is held: "[3]", "[:, 5]", empty for the whole */
export function heldIndex({ fixed }) {
  const places = fixed
    .map((at) => at ?? ":")
    .join(", ")
    .replace(/(?:, :)+$/, "");
  return fixed.some((at) => at !== null) ? `[${places}]` : "";
}

/** @param {MatrixSide} side @returns {string} its axes; one kept with a single cell has nothing to say */
export function sideTitle({ shape, dims }) {
  return dims
    .map((dim, axis) => (shape[axis] === 1 ? "" : axisName(dim, axis)))
    .filter(Boolean)
    .join(" · ");
}

/**
 * @param {Record<string, string[]>} labels @param {MatrixSide} side
 * @returns {string[]} one name for each place along the side
 */
export function sideNames(labels, { shape, dims }) {
  return Array.from({ length: numel(shape) }, (_, flat) =>
    unravel(shape, flat)
      .map((position, axis) => (shape[axis] === 1 ? "" : (labelOf(labels, dims[axis], position) ?? String(position))))
      .filter(Boolean)
      .join("·"),
  );
}

/** @param {MatrixSide} side @param {number} flat @returns {number[]} the cell of the whole tensor */
function cellOf({ shape, fixed }, flat) {
  const running = unravel(shape, flat);
  return fixed.map((at) => at ?? running.shift() ?? 0);
}

/** @param {MatrixSide} side @returns {number[][]} the cells of the whole tensor that run along it */
export function placesOf(side) {
  return Array.from({ length: numel(side.shape) }, (_, flat) => cellOf(side, flat));
}

/**
 * @param {Jacobian} jacobian @param {[string, string]} variables of node and input @param {number} row
 * @param {number} col @returns {string} "∂probs[3, 5] / ∂counts[3, 7]"
 */
export function partialText({ rows, columns }, [above, below], row, col) {
  const index = (/** @type {MatrixSide} */ side, /** @type {number} */ flat) => {
    const cell = cellOf(side, flat);
    return cell.length ? `[${cell.join(", ")}]` : "";
  };
  return `∂${above}${index(rows, row)} / ∂${below}${index(columns, col)}`;
}

/**
 * @param {Record<string, string[]>} labels @param {Jacobian} jacobian @param {number} row @param {number} col
 * @returns {string} "class e by class g"
 */
export function partialWords(labels, { rows, columns }, row, col) {
  const [above, below] = [placeWords(labels, rows, row), placeWords(labels, columns, col)];
  return above && below ? `${above} by ${below}` : above || below;
}

/** @param {Record<string, string[]>} labels @param {MatrixSide} side @param {number} flat */
function placeWords(labels, { shape, dims }, flat) {
  return unravel(shape, flat)
    .flatMap((position, axis) =>
      shape[axis] === 1 ? [] : [`${axisName(dims[axis], axis)} ${labelOf(labels, dims[axis], position) ?? position}`],
    )
    .join(", ");
}
