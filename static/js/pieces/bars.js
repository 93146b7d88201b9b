/**
 * How long each bar is, from 0 to 1: on a scale of powers of ten where the values span more than two of them.
 * @param {(number|string)[]} values what is not a finite number has no bar
 * @returns {{parts: number[], logarithmic: boolean}}
 */
export function barParts(values) {
  const sizes = values.map((value) => (typeof value === "number" && value > 0 ? value : 0));
  const positive = sizes.filter((size) => size > 0);
  if (positive.length === 0) return { parts: sizes, logarithmic: false };
  const [least, most] = [Math.min(...positive), Math.max(...positive)];
  if (most / least < 100) return { parts: sizes.map((size) => size / most), logarithmic: false };
  const [low, high] = [Math.log10(least), Math.log10(most)];
  // the least one is still seen
  const part = (/** @type {number} */ size) => 0.04 + (0.96 * (Math.log10(size) - low)) / (high - low);
  return { parts: sizes.map((size) => (size > 0 ? part(size) : 0)), logarithmic: true };
}
