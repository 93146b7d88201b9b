import { axisName } from "../shared/axis-labels.js";
import { shapeText } from "../shared/format.js";
import { counted } from "../shared/plural.js";
import { sumOf } from "./collapse.js";
/** @typedef {import("./collapse.js").Summed} Summed */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** What somebody sums along, and whether the axes stay with length 1. @typedef {{axes: number[], keepdim: boolean}} Choice */

/** @param {Summed} summed @param {Choice} choice @returns {number[]} the shape that comes out */
export function shapeAfter({ from }, { axes, keepdim }) {
  const kept = from.shape.map((size, axis) => (axes.includes(axis) ? 1 : size));
  return keepdim ? kept : from.shape.filter((_, axis) => !axes.includes(axis));
}

/**
 * @param {Summed} summed @param {Choice} choice
 * @returns {boolean} whether it gives the gradient: the right numbers in the right shape
 */
export function isRight(summed, choice) {
  const same = [...choice.axes].sort().join() === [...summed.axes].sort().join();
  return same && shapeAfter(summed, choice).join() === summed.result.shape.join();
}

/** @param {Summed} summed @param {Choice} choice @returns {import("./collapse.js").Partial} what comes out */
export function outcomeOf({ from }, { axes, keepdim }) {
  return sumOf(from, axes, keepdim);
}

/**
 * @param {Walk} walk @param {Summed} summed @param {Choice} choice
 * @returns {string} why it is right, or what is wrong with it, with the reader's own names and shapes, in Markdown
 */
export function choiceWords(walk, summed, choice) {
  const { variable, shape } = walk.node(summed.node);
  const name = (/** @type {number} */ axis) => axisWord(summed, axis);
  const needed = `\`${variable}\` is ${shapeText(shape)}`;
  if (isRight(summed, choice)) return rightWords(walk, summed);
  const got = shapeText(shapeAfter(summed, choice));
  const missing = summed.axes.filter((axis) => !choice.axes.includes(axis));
  const wrong = choice.axes.filter((axis) => !summed.axes.includes(axis));
  if (!choice.axes.length)
    return `Without a sum it stays ${got}, but ${needed}. It was copied along ${listed(summed.axes.map(name))}: the copies’ gradients have to be added.`;
  if (!missing.length && !wrong.length) {
    const keep = choice.keepdim
      ? `Without \`keepdim\` it is ${shapeText(shape)}`
      : `\`keepdim=True\` leaves the summed axis there with length 1`;
    return `The numbers are right, the shape isn’t: ${got}, but ${needed}. ${keep}.`;
  }
  const fits = shapeAfter(summed, choice).join() === shape.join();
  const shaped = fits
    ? `The shape ${got} fits, the numbers don’t.`
    : `That gives ${got}, but ${needed}${likeness(walk, summed, choice)}.`;
  const why = wrong.length
    ? ` Along ${listed(wrong.map(name))} \`${variable}\` was not copied: each of its numbers met only its own cells there, and they must not be mixed.`
    : "";
  const rest = missing.length
    ? ` It was copied along ${listed(missing.map(name))}, so that is where the copies’ gradients add up.`
    : "";
  return shaped + why + rest;
}

/** @param {Walk} walk @param {Summed} summed */
function rightWords(walk, summed) {
  const { variable, shape } = walk.node(summed.node);
  const copies = summed.axes.reduce((product, axis) => product * summed.from.shape[axis], 1);
  const names = listed(summed.axes.map((axis) => axisWord(summed, axis)));
  return `Each number of \`${variable}\` was copied to ${counted(copies, "place")} along ${names}: their gradients add up, and the shape is ${shapeText(shape)} again.`;
}

/** @param {Summed} summed @param {number} axis @returns {string} "axis 0 (example)" */
export function axisWord({ dims }, axis) {
  const name = axisName(dims[axis], axis);
  return name.startsWith("axis ") ? name : `axis ${axis} (${name})`;
}

/**
 * @param {Walk} walk @param {Summed} summed @param {Choice} choice
 * @returns {string} whose shape it is instead, where an input of the same line has it
 */
function likeness(walk, summed, choice) {
  const got = shapeAfter(summed, choice).join();
  const step = walk.steps[summed.step];
  const line = step.direction === "backward" && step.through ? walk.node(step.through).inputs : [];
  const like = line.map((name) => walk.node(name)).find((one) => one.name !== summed.node && one.shape.join() === got);
  return like ? `; that is the shape of \`${like.variable}\`` : "";
}

/** @param {string[]} names */
function listed(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}
