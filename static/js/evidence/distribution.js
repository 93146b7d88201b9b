import { counted } from "../shared/plural.js";
import { numberText } from "../shared/format.js";
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/**
 * How the numbers of a tensor are spread: bars of one width from `least` to `most`, each with its share of the highest.
 * @typedef {{least: number, most: number, bars: {middle: number, share: number}[], words: string}} Distribution
 */

const BARS = 48;
/** Fewer numbers are read one by one. */
const FEW = 16;
/** Nearer to an end of −1 to 1 than this, a function such as tanh is all but flat: its slope is below 0.06. */
const FLAT = 0.97;

/**
 * @param {Tensor} tensor @param {string} [told] what is said beside it, and not said again
 * @returns {Distribution|null} none for names, tiles, few or non-finite numbers
 */
export function distributionOf(tensor, told = "") {
  if (tensor.codes || tensor.block || tensor.size < FEW || tensor.stats.broken || tensor.stats.maxAbs === 0)
    return null;
  const numbers = Array.from(tensor.data);
  const [low, high] = numbers.reduce(([a, b], x) => [Math.min(a, x), Math.max(b, x)], [0, 0]);
  const width = (high - low) / BARS;
  const counts = new Array(BARS).fill(0);
  for (const x of numbers) counts[Math.min(BARS - 1, Math.floor((x - low) / width))] += 1;
  const highest = Math.max(...counts);
  return {
    least: low,
    most: high,
    bars: counts.map((count, i) => ({ middle: low + (i + 0.5) * width, share: count / highest })),
    words: wordsOf(numbers, [low, high], told),
  };
}

/** @param {number[]} numbers @param {number[]} ends @param {string} told @returns {string} */
function wordsOf(numbers, [low, high], told) {
  const mean = numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
  const deviation = Math.sqrt(numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0) / numbers.length);
  const zero = numbers.filter((x) => x === 0).length;
  const flat = low < 0 && low >= -1 && high <= 1 ? numbers.filter((x) => Math.abs(x) > FLAT).length : 0;
  return [
    `${counted(numbers.length, "number")}: mean ${numberText(meanShown(mean, deviation), 2)}`,
    `standard deviation ${numberText(deviation, 2)}`,
    zero && `${percent(zero / numbers.length)} are 0`,
    flat && !told.includes(`±${FLAT}`) && `${percent(flat / numbers.length)} beyond ±${FLAT}`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** @param {number} mean @param {number} deviation @returns {number} 0 where only rounding is left of it */
function meanShown(mean, deviation) {
  return Math.abs(mean) < 1e-6 * deviation ? 0 : mean;
}

/** @param {number} share @returns {string} */
function percent(share) {
  return share < 0.01 ? "less than 1 %" : share > 0.99 && share < 1 ? "over 99 %" : `${Math.round(100 * share)} %`;
}
