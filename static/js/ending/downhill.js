import { numberIn } from "../shared/json-number.js";
import { numberText } from "../shared/format.js";
/** @typedef {import("./ending.js").Descent} Descent */
/** @typedef {import("./ending.js").Descended} Descended */
/** @typedef {import("../changes/curve.js").Curve} Curve */

/** Learning rates with which it is found out how far the loss falls: four in each power of ten. */
export const SCAN = Array.from({ length: 32 }, (_, i) => Number((10 ** (i / 4 - 5)).toPrecision(3)));
const POINTS = 32;
/** How many times as far as the lowest place the line is drawn. */
const VALLEY = 4;

/**
 * @param {Descent} scan at the rates of SCAN
 * @returns {number} the learning rate up to which the line is drawn: where it has left the valley behind
 */
export function farthest({ loss, steps }) {
  const before = numberIn(loss);
  const lowest = steps.reduce((best, one, i) => (lossOf(one) < lossOf(steps[best]) ? i : best), 0);
  const beyond = steps.find((one, i) => i > lowest && !(lossOf(one) <= before));
  if (lossOf(steps[0]) > before) return steps[0].rate;
  const end = (beyond ?? steps[steps.length - 1]).rate;
  return Number(Math.min(end, VALLEY * steps[lowest].rate).toPrecision(2));
}

/** @param {number} top @returns {number[]} learning rates from 0 to there */
export function ratesUpTo(top) {
  return Array.from({ length: POINTS }, (_, i) => (top * i) / (POINTS - 1));
}

/** @param {Descent} line @returns {Curve} the loss along the learning rate */
export function lineOf({ loss, squared_gradient: squared, steps }) {
  return {
    tensor: "",
    index: [],
    value: 0,
    loss,
    slope: -numberIn(squared),
    kink: null,
    own_slope: null,
    span: steps[steps.length - 1].rate,
    points: steps.map((one) => [one.rate, one.loss]),
    upwards: true,
  };
}

/** @param {Descent} line @returns {Descended} the step that leads lowest */
export function lowestOf({ steps }) {
  return steps.reduce((best, one) => (lossOf(one) < lossOf(best) ? one : best));
}

/** @param {Descent} line @param {string} loss its name @returns {string} where the line search ends */
export function lowestWords(line, loss) {
  const { rate, loss: least } = lowestOf(line);
  if (rate === 0) return `No step along this line makes \`${loss}\` smaller.`;
  const [about, near] = [numberText(numberIn(least), 3), numberText(rate, 2)];
  return `The lowest along this line is about ${about}, near learning rate ${near}.`;
}

/** @param {number} after ten steps @param {string} loss its name @returns {string} */
export function tenWords(after, loss) {
  return `Ten such steps, each with new gradients, lead to \`${loss}\` ${numberText(after, 4)}.`;
}

/** @param {Descended} step @returns {number} a loss that is no number is higher than all */
function lossOf({ loss }) {
  const number = numberIn(loss);
  return Number.isNaN(number) ? Infinity : number;
}
