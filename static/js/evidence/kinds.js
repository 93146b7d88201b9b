import { drawnOf } from "../walk/live.js";
import { peakOf } from "../walk/picture-peak.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {{which: string, title: string, tensor: (frame: Frame) => Tensor|null}} Kind */

/**
 * @param {Frame} frame @param {"manual"|"autograd"|"difference"} which
 * @returns {Tensor|null} null until this step has made it
 */
export function gradient(frame, which) {
  const { walk, node, known } = frame;
  const now = walk.gradientAt(node.name, known);
  if (frame.step.direction === "forward" || now.stage === "none" || !(node.gradient || node.inner)) return null;
  if (now.stage === "partial" || !node.gradient) return which === "manual" ? now.tensor : null;
  const { level, kind } = node.gradient.verdict;
  const isThere = { manual: kind !== "lost", autograd: true, difference: level !== "shape" }[which];
  return isThere ? walk.tensor(node.gradient[which]) : null;
}

/** @type {Kind[]} */
export const KINDS = [
  { which: "value", title: "value", tensor: (frame) => frame.walk.valueAt(frame.node.name, frame.step.index) },
  { which: "manual", title: "manual", tensor: (frame) => gradient(frame, "manual") },
  { which: "autograd", title: "autograd", tensor: (frame) => gradient(frame, "autograd") },
  { which: "difference", title: "difference", tensor: (frame) => gradient(frame, "difference") },
];

/** @param {Kind} kind @param {Frame} frame @returns {Tensor|null} itself, or what the changes have changed about it */
export function shownBy(kind, frame) {
  const tensor = kind.tensor(frame);
  return tensor && drawnOf(frame, tensor);
}

/**
 * @param {(Tensor|null)[]} tensors @param {number} i
 * @returns {{title: string, tensor: Tensor}[]} what one compares a gradient's number with
 */
export function besides(tensors, i) {
  return KINDS.flatMap(({ title }, other) => {
    const tensor = tensors[other];
    return other && other !== i && tensor ? [{ title, tensor }] : [];
  });
}

/** @param {Frame} frame @param {number} i @returns {string} */
export function dashReason(frame, i) {
  if (frame.node.inner)
    return i > 1 ? "autograd keeps none for a part of a line" : "a part of the line, without a name";
  if (i > 0 && frame.walk.lost.has(frame.node.name)) return "no longer leads to the loss";
  if (i > 0 && !frame.node.gradient) return (frame.node.no_gradient?.text ?? "no gradient").replace(/`/g, "");
  if (i > 1 && frame.walk.gradientAt(frame.node.name, frame.known).stage === "partial")
    return "compared when every path has arrived";
  const verdict = frame.known >= frame.step.index ? frame.node.gradient?.verdict : undefined;
  if (verdict?.kind === "lost" && i > 0) return "it can’t be computed any more";
  if (verdict?.level === "shape" && i > 2) return "of another shape: there is no difference, cell by cell";
  return "not yet computed";
}

/** @param {Frame} frame @param {(Tensor|null)[]} tensors @returns {number[]} what full colour stands for */
export function peaksOf({ walk, node, state }, tensors) {
  return tensors.map((tensor, i) =>
    tensor ? peakOf(walk, { tensor: node.name, of: i ? "gradient" : "value" }, tensor, state.enlarged) : 0,
  );
}
