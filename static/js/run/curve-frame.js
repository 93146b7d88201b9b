import { decadesOf, heightOf } from "./scale.js";
/** @typedef {import("./run.js").Run} Run */
/** @typedef {{left: number, right: number, top: number, bottom: number}} Box in px of the canvas */
/**
 * Where steps and losses lie: `axis` goes from one loss to another, `end` is the last step.
 * @typedef {Box & {end: number, axis: ReturnType<typeof decadesOf>, x: (step: number) => number,
 *   y: (loss: number) => number}} Frame
 */

const ROOM = { left: 46, right: 14, top: 22, bottom: 24 };
const LEAST = 80;
const FEWEST = 10; // steps that the axis is at least long

/**
 * @param {number} width @param {number} height @param {number} scale of the letters
 * @returns {Box|null} null without room
 */
export function boxOf(width, height, scale) {
  if (width < LEAST) return null;
  const { left, right, top, bottom } = ROOM;
  return { left: left * scale, right: width - right * scale, top: top * scale, bottom: height - bottom * scale };
}

/** @param {Box} box @param {number} end @returns {(step: number) => number} */
export function alongSteps({ left, right }, end) {
  return (step) => left + ((right - left) * step) / end;
}

/** @param {Box} box @param {Run[]} runs @returns {Frame|null} null before the first loss */
export function frameOf(box, runs) {
  const ranges = runs.flatMap((run) => run.series.range ?? []);
  if (!ranges.length) return null;
  const held = runs.flatMap((run) => run.validation.map(({ loss }) => loss)).filter((loss) => loss > 0);
  const axis = decadesOf([Math.min(...ranges, ...held), Math.max(...ranges, ...held)]);
  const end = Math.max(FEWEST, ...runs.map(({ taken }) => taken));
  const y = (/** @type {number} */ loss) => box.bottom - (box.bottom - box.top) * heightOf(axis, loss);
  return { ...box, end, axis, x: alongSteps(box, end), y };
}

/** @param {Run[]} runs @returns {{step: number, lr: number}[]} learning rates to be marked along the steps */
export function markedRates(runs) {
  const alike = runs.every(({ rates }) => rates[0]?.lr === runs[0].rates[0]?.lr);
  // two runs with rates of their own have them in the table beside: only the changes are marked
  return alike ? runs[0].rates : runs.flatMap(({ rates }) => rates.slice(1));
}
