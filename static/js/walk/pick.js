import { focusRow } from "../shared/axis-labels.js";
import { ravel } from "../shared/tensor.js";
/** @typedef {import("./frame.js").Frame} Frame */
/** @typedef {import("./store.js").State} State */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {"value"|"gradient"|"contribution"} Of */
/**
 * What a drawn sheet of cells is a picture of; `path` is the backward step of a contribution.
 * @typedef {{tensor: string, of: Of, path?: number}} Subject
 */
/**
 * One number of the walk, as the server is asked for it.
 * @typedef {{tensor: string, which: Of, index: number[], step?: number}} Pick
 */

/**
 * What an address says of it: `cell` lies in the node that is shown, or in `tensor`; with `of` it is looked into;
 * `path` is the backward step of a contribution, where that is not the step itself.
 * @typedef {{cell: number[]|null, of: Of|null, tensor: string|null, path: number|null}} Choice
 */

/**
 * No choice, and no way that led to it; `reach` is the other corner where several cells are chosen.
 * @type {Choice & {trail: import("./trail.js").Crumb[], reach: number[]|null}}
 */
export const NOTHING = { cell: null, of: null, tensor: null, path: null, trail: [], reach: null };

/**
 * The number that is looked into; null while it is not computed, still asked for, or none was picked. A gradient that
 * waits for further paths is what the latest one brought.
 * @param {Omit<Frame, "pick">} frame @returns {Pick|null}
 */
export function pickOf({ walk, state, step, node, known }) {
  const { cell: index, of } = state;
  const tensor = state.tensor ?? node.name;
  const about = walk.nodes.get(tensor);
  if (!index || !of || !about || about.inner || ravel(about.shape, index) < 0) return null;
  if (of === "value") return walk.valueAt(tensor, step.index) ? { tensor, which: of, index } : null;
  const paths = (walk.backwardIndex.get(tensor) ?? []).filter((path) => path <= known);
  if (!about.gradient || !paths.length) return null;
  const whole = walk.gradientAt(tensor, known).stage === "complete";
  if (of === "gradient" && whole) return { tensor, which: of, index };
  const path = of === "gradient" ? paths[paths.length - 1] : (state.path ?? step.index);
  return paths.includes(path) ? { tensor, which: "contribution", index, step: path } : null;
}

/**
 * A cell picked by hand; the way that led here stays only while one moves about inside the same tensor.
 * @param {Frame} frame @param {Subject} subject @param {number[]} cell @returns {Partial<State>}
 */
export function picked({ state, node, step, pick }, { tensor, of, path = step.index }, cell) {
  const same = pick !== null && (state.tensor ?? node.name) === tensor && state.of === of;
  return {
    cell,
    of,
    tensor: tensor === node.name ? null : tensor,
    path: of === "contribution" && path !== step.index ? path : null,
    trail: same ? state.trail : [],
    reach: null,
  };
}

/**
 * More cells, up to this one; the first one is picked where none of the same picture is yet.
 * @param {Frame} frame @param {Subject} subject @param {number[]} cell @returns {Partial<State>}
 */
export function extended(frame, subject, cell) {
  const from = markIn(frame, subject);
  return from ? { reach: cell.join() === from.join() ? null : cell } : picked(frame, subject, cell);
}

/**
 * @param {number[]} from @param {number[]} to two corners
 * @returns {[number, number][]} the first place and the one after the last, along each axis
 */
export function boxOf(from, to) {
  return from.map((at, axis) => [Math.min(at, to[axis]), Math.max(at, to[axis]) + 1]);
}

/** @param {Frame} frame @param {Subject} subject @returns {number[]|null} the other corner of what is chosen there */
export function reachIn(frame, subject) {
  return markIn(frame, subject) && frame.state.reach ? frame.state.reach : null;
}

/** @param {Frame} frame @param {Subject} subject @returns {number[]|null} the cell to mark in a picture of this */
export function markIn({ state, node }, { tensor }) {
  return (state.tensor ?? node.name) === tensor ? state.cell : null;
}

/**
 * @param {Tensor} tensor @param {number|null} [row] in which it is looked for
 * @returns {number[]} its cell of largest finite magnitude, where a look inside begins
 */
export function loudest(tensor, row = null) {
  const { data, grid } = tensor;
  let best = (row ?? 0) * grid.cols;
  let most = -1;
  const [from, end] = row === null ? [0, data.length] : [row * grid.cols, (row + 1) * grid.cols];
  for (let i = from; i < end; i += 1) {
    const size = Math.abs(data[i]);
    if (Number.isFinite(size) && size > most) [best, most] = [i, size];
  }
  return tensor.cellAt(Math.floor(best / grid.cols), best % grid.cols);
}

/**
 * @param {Frame} frame
 * @returns {{subject: Subject, cell: number[]}|null} what goes into the hand on the way forward where nothing was
 *   chosen: of the example in focus the score of the right class; elsewhere, of the first tensor that the line reads,
 *   the cell that the loss feels most, in the row of the example in focus
 */
export function offered({ walk, state, node, step, pick }) {
  if (pick || state.cell || step.direction !== "forward") return null;
  const focus = walk.document.in_focus ?? {};
  const row = focus[node.dims[0]];
  const right = node.view === "tug-of-war" ? node.targets?.[row] : undefined;
  if (typeof right === "number") return { subject: { tensor: node.name, of: "value" }, cell: [row, right] };
  const read = node.inputs.map((name) => walk.node(name)).find((one) => one.gradient?.size.at);
  const at = read?.gradient?.size.at;
  if (!read || !at) return null;
  const first = focus[read.dims[0]] ?? at[0];
  return { subject: { tensor: read.name, of: "value" }, cell: at.length ? [first, ...at.slice(1)] : at };
}

/**
 * @param {import("./walk.js").Walk} walk @param {string[]} names
 * @returns {{tensor: string, index: number[]}|null} the cell that the loss feels most, of the first tensor on which it
 *   depends
 */
export function feltMost(walk, names) {
  for (const tensor of names) {
    const { gradient } = walk.node(tensor);
    if (!gradient || gradient.verdict.level === "zero" || gradient.size.largest === 0) continue;
    const whole = walk.gradientAt(tensor, walk.steps.length - 1).tensor;
    const index = whole ? loudest(whole) : gradient.size.at;
    if (index) return { tensor, index };
  }
  return null;
}

/**
 * @param {Frame} frame
 * @returns {{tensor: string, index: number[]}|null} what is held: the number that was chosen, else one of this step
 *   that the loss feels
 */
export function heldIn(frame) {
  const { pick, state, node, walk } = frame;
  if (pick) return { tensor: pick.tensor, index: pick.index };
  const there = opening(frame);
  const chosen = state.example !== null || (state.cell !== null && state.tensor === null);
  // nothing comes back to what has no gradient: what its line reads may have one
  const felt = there && !chosen ? feltMost(walk, node.gradient ? [node.name] : [node.name, ...node.inputs]) : null;
  return felt ?? (there && { tensor: there.subject.tensor, index: there.cell });
}

/**
 * @param {Frame} frame
 * @returns {Partial<State>} what is left when a number closes: in the tug-of-war, the row that was chosen
 */
export function shut({ state, tug }) {
  return tug && !state.view && !state.tensor ? { ...NOTHING, cell: state.cell } : NOTHING;
}

/** @param {Frame} frame @returns {string} why nothing here can be looked into; empty where it can */
export function closedWords({ walk, node, step }) {
  if (!node.inner) return "";
  const chunk = step.direction === "backward" && step.through ? walk.node(step.through) : null;
  const line = (chunk?.source ?? "").replace(/\s*#.*$/, "").trim();
  const part = `\`d${node.variable}\` belongs to a part of ${line ? `\`${line}\`` : "a line"} that has no name`;
  return `${part}, so its numbers do not open. Give that part a line and a name of its own, and they will.`;
}

/**
 * @param {Frame} frame
 * @returns {{subject: Subject, cell: number[]}|null} what opens: the cell that is marked, else the largest; of the
 *   gradient if there is one by now
 */
export function opening({ walk, state, node, step, known }) {
  if (node.inner) return null;
  const gradient = node.gradient && step.direction === "backward" ? walk.gradientAt(node.name, known).tensor : null;
  const tensor = gradient ?? walk.valueAt(node.name, step.index);
  const chosen = state.cell && !state.tensor && ravel(node.shape, state.cell) >= 0 ? state.cell : null;
  if (!tensor) return null;
  const row = state.example === null ? null : focusRow(walk.document.in_focus, node.dims, tensor);
  return { subject: { tensor: node.name, of: gradient ? "gradient" : "value" }, cell: chosen ?? loudest(tensor, row) };
}
