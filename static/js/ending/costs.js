import { numberText } from "../shared/format.js";
/** @typedef {import("../lens/types.js").LineCost} LineCost */
/** @typedef {import("../lens/types.js").LineCosts} LineCosts */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {{forward: number, again: number, backward: number, kept: number, most: LineCost}} Totals */

/**
 * @param {LineCosts} costs
 * @returns {Totals} multiply-adds by direction, the bytes kept when the forward pass is done, and the line at which
 *   most are held
 */
export function totalsOf({ lines }) {
  const sum = (/** @type {LineCost["direction"]} */ direction) =>
    lines.filter((line) => line.direction === direction).reduce((all, line) => all + line.multiply_adds, 0);
  return {
    ...{ forward: sum("forward"), again: sum("again"), backward: sum("backward") },
    kept: lines.reduce((all, line) => all + line.kept, 0),
    most: lines.reduce((most, line) => (line.held > most.held ? line : most)),
  };
}

/** @param {LineCosts} costs @returns {string} what the passes take, and how much they keep */
export function costWords(costs) {
  const { forward, backward, kept } = totalsOf(costs);
  const times = forward ? `: ${timesText(backward / forward)}` : "";
  const taken =
    forward + backward
      ? `The forward pass takes ${countText(forward)} multiply-adds, the backward pass ${countText(backward)}${times}.`
      : "No line sums products, so there are no multiply-adds.";
  const stored = kept
    ? `${bytesText(kept)} are kept for the backward pass: what a forward line makes and a backward line reads.`
    : "Nothing is kept for the backward pass: no line of it reads what the forward pass makes.";
  return `${taken} ${stored}`;
}

/**
 * @param {LineCosts} costs @param {LineCosts} before with everything kept
 * @returns {string} what it saves to compute some tensors again, and what that takes; empty where none is
 */
export function savedWords(costs, before) {
  if (!costs.again.length) return "";
  const [now, then] = [totalsOf(costs), totalsOf(before)];
  const names = costs.again.map((name) => `\`${name}\``).join(", ");
  const most = `at most ${bytesText(now.most.held)} are held at once, where it was ${bytesText(then.most.held)}`;
  const more = now.again ? `${countText(now.again)} multiply-adds are` : "no multiply-adds are";
  return `With ${names} computed again, ${most}, and ${more} added.`;
}

/** @param {Walk} walk @param {LineCost} line @returns {number} the step of a line, -1 for one that is planted over */
export function stepOf({ steps }, { code, direction }) {
  const side = direction === "backward" ? "backward" : "forward";
  return steps.findIndex((step) => step.direction === side && step.code === code);
}

/** @param {number} count */
export function countText(count) {
  return count.toLocaleString("en");
}

/** @param {number} size in bytes @returns {string} such as `480 bytes`, `8.19 kB` */
export function bytesText(size) {
  if (size < 1000) return `${size} bytes`;
  const power = size < 1e6 ? 1 : 2;
  return `${numberText(size / 1000 ** power, 3)} ${["kB", "MB"][power - 1]}`;
}

/** @param {number} times */
function timesText(times) {
  if (Math.abs(times - 1) < 0.005) return "as many";
  return Math.abs(times - 2) < 0.005 ? "twice as many" : `${numberText(times, 3)}× as many`;
}
