import { numberIn } from "../shared/json-number.js";
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {{step: number, size: number, width: number}} Flow */

const THINNEST = 1;
const WIDEST = 9;
/** The thinnest edge stands for so many times less than the widest: at least, and at most. */
const RANGE = { least: 10, most: 1e4 };
/** What is less than anything on that way is thinner still. */
const BELOW = 3;

/**
 * How wide each edge is drawn once gradient has flowed back along it: by the logarithm of the gradient's norm, from the
 * least to the largest on the way back to the first line, so that the widths differ there.
 * @param {Walk} walk @param {Set<string>} spine names of the tensors along that way
 * @returns {{flows: Map<string, Flow>, least: number, largest: number}} "from>to" → the step that fills it, and how
 *   much flows; norms of the thinnest and the widest edge
 */
export function edgeWidths(walk, spine) {
  /** @type {Map<string, {step: number, size: number}>} */
  const sizes = new Map();
  for (const step of walk.steps) {
    if (step.direction === "forward" || step.through === null) continue;
    const key = `${step.node}>${step.through}`;
    sizes.set(key, { step: step.index, size: Math.max(normOf(step), sizes.get(key)?.size ?? 0) });
  }
  const along = [...sizes]
    .filter(([key]) => key.split(">").every((name) => spine.has(name)))
    .map(([, { size }]) => size);
  const largest = Math.max(0, ...[...sizes.values()].map(({ size }) => size));
  const lowest = Math.min(largest / RANGE.least, ...along.filter((size) => size > 0));
  const least = Math.max(lowest, largest / RANGE.most) / BELOW;
  return {
    flows: new Map(
      [...sizes].map(([key, { step, size }]) => [key, { step, size, width: widthOf(size, least, largest) }]),
    ),
    least,
    largest,
  };
}

/** @param {import("../walk/types.js").BackwardStep} step @returns {number} 0 where it is not finite */
function normOf(step) {
  const norm = numberIn(step.norm);
  return Number.isFinite(norm) ? norm : 0;
}

/**
 * @param {number} size @param {number} least @param {number} largest
 * @returns {number} pixels, where thumbnails have their usual size
 */
export function widthOf(size, least, largest) {
  if (size <= 0 || largest <= least) return THINNEST;
  const part = Math.log10(size / least) / Math.log10(largest / least);
  return THINNEST + Math.max(0, Math.min(1, part)) * (WIDEST - THINNEST);
}

/**
 * @param {number} least @param {number} largest
 * @returns {number[]} two numbers that are easily said, one near each end of the scale; none where nothing flows
 */
export function referenceSizes(least, largest) {
  return largest > 0
    ? [
        steps(least).find((size) => size > 1.5 * least) ?? least,
        steps(largest / 10)
          .reverse()
          .find((size) => size <= largest) ?? largest,
      ]
    : [];
}

/** @param {number} from @returns {number[]} 1, 2 and 5 in this power of ten and in the next */
function steps(from) {
  const power = Math.floor(Math.log10(from));
  return [power, power + 1].flatMap((exponent) => [1, 2, 5].map((digit) => Number(`${digit}e${exponent}`)));
}
