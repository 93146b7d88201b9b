import { numberIn } from "../shared/json-number.js";
/** @typedef {Pick<import("./pick.js").Subject, "tensor"|"of">} Subject */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("./walk.js").Walk} Walk */

/**
 * The one place that decides what full colour stands for: a tensor's own largest number, but of a gradient whose true
 * value is zero what arrives there, so that the rounding left of it stays blank until somebody asks for it.
 * @param {Walk} walk @param {Subject|null} subject what it is a picture of @param {Tensor} tensor
 * @param {string|null} [enlarged] the node whose rounding is shown enlarged @returns {number}
 */
export function peakOf(walk, subject, tensor, enlarged = null) {
  const { maxAbs } = tensor.stats;
  const scale = subject && subject.of !== "value" && subject.tensor !== enlarged ? scaleOf(walk, subject.tensor) : 0;
  return Math.max(maxAbs, scale);
}

/**
 * @param {Walk} walk @param {string} name
 * @returns {number} the scale of what arrives at a true zero, 0 for any other tensor
 */
export function scaleOf(walk, name) {
  return numberIn(walk.nodes.get(name)?.gradient?.scale ?? 0);
}

/**
 * @param {Walk} walk @param {Subject|null} subject @param {Tensor} tensor
 * @returns {boolean} whether all of a picture is what rounding left of a true zero
 */
export function isRounding(walk, subject, tensor) {
  if (!subject || subject.of === "value" || !scaleOf(walk, subject.tensor)) return false;
  const residue = numberIn(walk.nodes.get(subject.tensor)?.gradient?.verdict.residue);
  return tensor.stats.maxAbs > 0 && tensor.stats.maxAbs <= residue;
}

/**
 * @param {Walk} walk @param {string} name
 * @returns {number|null} by which power of ten its rounding must be enlarged to be seen; null where there is nothing to
 *   enlarge
 */
export function enlargement(walk, name) {
  const scale = scaleOf(walk, name);
  const residue = walk.nodes.get(name)?.gradient?.verdict.residue;
  if (!scale || !residue) return null;
  return Math.round(Math.log10(scale / numberIn(residue)));
}
