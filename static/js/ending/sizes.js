import { numberIn } from "../shared/json-number.js";
import { numberText } from "../shared/format.js";
import { shownLevel } from "../walk/verdict-levels.js";
/** @typedef {import("../walk/walk.js").Walk} Walk */
/**
 * How large one gradient is; `share` says from 0 to 1 where its root mean square stands between the smallest and the
 * largest, in powers of ten. A true zero has no size but its rounding.
 * @typedef {{variable: string, index: number, shape: number[], zero: boolean, norm: number, rms: number,
 *   largest: number, isParameter: boolean, perWeight: number|null, share: number}} Size
 */

/** @param {Walk} walk @returns {Size[]} one a gradient, in the order of the way back, the loss's own left out */
export function sizesOf(walk) {
  const { nodes, loss } = walk.document;
  const found = nodes
    .filter((node) => node.gradient && node.name !== loss.name && walk.backwardIndex.has(node.name))
    .map((node) => {
      const { size, verdict } = /** @type {import("../walk/types.js").Gradient} */ (node.gradient);
      return {
        variable: `d${node.variable}`,
        index: walk.backwardIndex.get(node.name)?.at(-1) ?? 0,
        shape: node.shape,
        zero: shownLevel(verdict) === "zero",
        norm: numberIn(size.norm),
        rms: numberIn(size.rms),
        largest: numberIn(size.largest),
        isParameter: node.role === "parameter",
        perWeight: size.per_weight === null ? null : numberIn(size.per_weight),
      };
    })
    .sort((a, b) => a.index - b.index);
  const powers = found.filter(isSound).map(({ rms }) => Math.log10(rms));
  const [low, high] = [Math.min(...powers), Math.max(...powers)];
  return found.map((size) => ({ ...size, share: isSound(size) ? shareOf(Math.log10(size.rms), low, high) : 0 }));
}

/** @param {{zero: boolean, rms: number}} size whether it is one that can be compared */
function isSound({ zero, rms }) {
  return !zero && Number.isFinite(rms) && rms > 0;
}

/**
 * @param {number} power @param {number} low @param {number} high
 * @returns {number} the smallest is a sliver, not nothing
 */
function shareOf(power, low, high) {
  return high > low ? 0.04 + (0.96 * (power - low)) / (high - low) : 1;
}

/**
 * @param {Size[]} sizes
 * @returns {string} the smallest beside the largest, of the parameters where there are two: where a network vanishes or
 *   explodes
 */
export function spreadWords(sizes) {
  const sound = sizes.filter(isSound).sort((a, b) => a.rms - b.rms);
  const parameters = sound.filter(({ isParameter }) => isParameter); // one of zeros alone has no update / weight
  const [compared, whose] = parameters.length > 1 ? [parameters, "parameters"] : [sound, "gradients"];
  const [small, large] = [compared[0], compared.at(-1)];
  if (!small || !large || small === large) return "";
  const names = `\`${large.variable}\` and \`${small.variable}\``;
  const times = large.rms / small.rms;
  const all = whose === "parameters" ? "the gradients of the parameters" : "the gradients";
  if (times < 1.05) return `Cell for cell, ${all} are about equally large.`;
  const which = `of the ${whose} the largest and the smallest`;
  return `Cell for cell, ${names} differ by a factor of ${numberText(times, 2)}: ${which}.`;
}

/** @param {number} rate @returns {string} what the last column says */
export function updateWords(rate) {
  const moved = `how far one step at learning rate ${numberText(rate)} moves a parameter, as a share of its own norm`;
  return `Update / weight: ${moved}. About 10⁻³ is a common rule of thumb.`;
}
