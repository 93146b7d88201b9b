import { boxOfStep, distanceFor } from "./boxes.js";
import { pickOf } from "./pick.js";
import { shownLevel } from "./verdict-levels.js";
/** @typedef {import("./walk.js").Walk} Walk */
/** @typedef {import("./store.js").State} State */
/** @typedef {import("../quiz/predictions.js").Predictions} Predictions */
/** @typedef {import("../practice/writings.js").Writings} Writings */
/** @typedef {import("./types.js").Step} Step */
/** @typedef {import("./types.js").WalkNode} WalkNode */
/** @typedef {import("./types.js").Level} Level */
/** @typedef {import("./pick.js").Pick} Pick */
/**
 * Everything the views need to draw one moment of the walk, so that none of them decides on its own.
 * `known` is the last step whose outcome may be seen: one less than `step.index` while a question is open.
 * `asking`: its outcome is hidden behind a question; `writing`: behind a line that the reader is to write.
 * `hidesPaths`: the open question is whether something came to this gradient before, so that nothing may show it.
 * `pick` is the one number that is looked into. `delta`: what is drawn of a tensor is what changes have done to it.
 * `unwritten`: the tensors whose lines the page still asks for, and the numbers of other lines. `distance`: how far
 * away the graph is; `box`: where in it the step is.
 * @typedef {{walk: Walk, state: State, step: Step, node: WalkNode, inspecting: boolean, asking: boolean,
 *   writing: boolean, hidesPaths: boolean,
 *   known: number, forwardLine: number|null, backwardLines: [number, number]|null, tug: boolean,
 *   predictions: Predictions, pick: Pick|null, delta: boolean, unwritten?: Set<string>,
 *   distance: import("./boxes.js").Distance, box: import("./boxes.js").Box|undefined}} Frame
 */

/**
 * @param {Walk} walk @param {State} state @param {Predictions} predictions @param {Writings|null} [writings]
 * @returns {Frame}
 */
export function frameOf(walk, state, predictions, writings = null) {
  const step = walk.steps[walk.clamp(state.step)];
  const picked = state.node && state.node !== step.node && walk.nodes.has(state.node) ? state.node : null;
  const questioning = state.predict && predictions.asking(step);
  const writing = !questioning && state.writeIt && (writings?.isOpen(walk, step) ?? false);
  const asking = questioning || writing;
  const node = walk.node(picked ?? step.node);
  const frame = {
    walk,
    state,
    step,
    node,
    asking,
    writing,
    hidesPaths: questioning && step.direction === "backward" && step.question?.kind === "accumulate",
    predictions,
    inspecting: picked !== null,
    delta: state.delta && !asking && (state.changes.length > 0 || walk.thumbnails !== null),
    distance: distanceFor(walk.document, state),
    box: boxOfStep(walk, step),
    known: asking ? step.index - 1 : step.index,
    ...linesOf(walk, step, picked ? node : null),
    tug: !picked && !asking && tugReady(step, node),
  };
  return { ...frame, pick: pickOf(frame) };
}

/** @param {Step} step @param {WalkNode} node */
function tugReady(step, node) {
  return node.view === "tug-of-war" && step.direction === "backward" && step.complete && !("pooled" in node.value);
}

/** @param {Walk} walk @param {Step} step @param {WalkNode|null} picked */
function linesOf(walk, step, picked) {
  if (picked) return { forwardLine: picked.line ?? firstUse(walk, picked), backwardLines: null };
  if (step.direction === "forward") return { forwardLine: step.line, backwardLines: null };
  return {
    forwardLine: step.forward_line,
    backwardLines: /** @type {[number, number]} */ ([step.line, step.line + step.lines - 1]),
  };
}

/** @param {Walk} walk @param {WalkNode} node @returns {number|null} */
function firstUse(walk, node) {
  return walk.document.nodes.find((other) => other.inputs.includes(node.name))?.line ?? null;
}

/**
 * @param {Walk} walk @param {string} name @param {number} known
 * @returns {Level|"lost"|"partial"|"inner"|"none"} what the badge may say by now
 */
export function levelAt(walk, name, known) {
  const node = walk.node(name);
  const { stage } = walk.gradientAt(name, known);
  if (stage === "none" || !(node.gradient || node.inner)) return "none";
  if (stage === "partial") return "partial";
  return node.gradient ? shownLevel(node.gradient.verdict) : "inner";
}
