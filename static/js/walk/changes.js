import { numberText } from "../shared/format.js";
import { counted } from "../shared/plural.js";
/**
 * A change by hand, as POST /api/walk takes it: to a cell or a slice of a tensor or to all of it, or by steps of
 * gradient descent.
 * @typedef {{tensor: string, index?: number[], value: number}
 *   | {tensor: string, index?: number[], scale: number}
 *   | {tensor: string, index?: number[], noise: number, seed?: number}
 *   | {descend: number, steps: number}} Change
 */

const MOST = 64;
const MOST_STEPS = 100;
const NUMBER = "(-?\\d+(?:\\.\\d+)?(?:e-?\\d+)?)";
const PLACE = "([A-Za-z]\\w*)((?:\\.\\d+)*)";
const DESCENT = new RegExp(`^descend:${NUMBER}\\*(\\d{1,3})$`);
const VALUE = new RegExp(`^${PLACE}:${NUMBER}$`);
const SCALE = new RegExp(`^${PLACE}\\*${NUMBER}$`);
const NOISE = new RegExp(`^${PLACE}~${NUMBER}@(\\d{1,15})$`);

/**
 * Changes as a link says them, such as `b2.5:0.13,W1*2,W1~0.1@3,descend:0.1*10`.
 * @param {Change[]} changes @returns {string}
 */
export function changesText(changes) {
  return changes.map(textOf).join(",");
}

/** @param {Change} change @returns {string} */
function textOf(change) {
  if ("descend" in change) return `descend:${digits(change.descend)}*${change.steps}`;
  const place = [change.tensor, ...(change.index ?? [])].join(".");
  if ("value" in change) return `${place}:${digits(change.value)}`;
  if ("scale" in change) return `${place}*${digits(change.scale)}`;
  return `${place}~${digits(change.noise)}@${change.seed ?? 0}`;
}

/** @param {number} number @returns {string} without a plus, which an address reads as a space */
function digits(number) {
  return String(number).replace("+", "");
}

/** @param {string|null} text @returns {Change[]} none where the text is not one of `changesText` */
export function changesIn(text) {
  if (!text) return [];
  const changes = text.split(",").map(changeIn);
  return changes.length > MOST || changes.includes(null) ? [] : /** @type {Change[]} */ (changes);
}

/** @param {string} text @returns {Change|null} */
function changeIn(text) {
  let found = DESCENT.exec(text);
  if (found) return descent(Number(found[1]), Number(found[2]));
  if ((found = VALUE.exec(text))) return { ...placeIn(found), value: Number(found[3]) };
  if ((found = SCALE.exec(text))) return { ...placeIn(found), scale: Number(found[3]) };
  if ((found = NOISE.exec(text))) return { ...placeIn(found), noise: Number(found[3]), seed: Number(found[4]) };
  return null;
}

/** @param {number} descend @param {number} steps @returns {Change|null} */
function descent(descend, steps) {
  return steps >= 1 && steps <= MOST_STEPS ? { descend, steps } : null;
}

/** @param {RegExpExecArray} found @returns {{tensor: string, index?: number[]}} */
function placeIn([, tensor, place]) {
  return place ? { tensor, index: place.slice(1).split(".").map(Number) } : { tensor };
}

/**
 * The changes with one more; one that goes on where the last left off takes its place, so that a number moved twice is
 * moved once, and two descents at one rate are one.
 * @param {Change[]} changes @param {Change} change @returns {Change[]}
 */
export function withChange(changes, change) {
  const last = changes.at(-1);
  if (last && "descend" in last && "descend" in change && last.descend === change.descend) {
    const steps = last.steps + change.steps;
    if (steps <= MOST_STEPS) return [...changes.slice(0, -1), { ...last, steps }];
  }
  if (last && "value" in last && "value" in change && placeOf(last) === placeOf(change))
    return [...changes.slice(0, -1), change];
  return [...changes, change];
}

/** @param {string} request a JSON text @param {Change[]} changes @returns {string} the request with these changes */
export function withChanges(request, changes) {
  return changes.length ? `${request.trimEnd().slice(0, -1)}${fieldOf(changes)}` : request;
}

/**
 * @param {string} request of `withChanges` @param {Change[]} changes those that it was made with
 * @param {Change[]} others
 * @returns {string} the request with the other ones; its numbers stay as they are written
 */
export function withOtherChanges(request, changes, others) {
  const own = changes.length ? fieldOf(changes) : "";
  return withChanges(own && request.endsWith(own) ? `${request.slice(0, -own.length)}}` : request, others);
}

/** @param {Change[]} changes */
function fieldOf(changes) {
  return `,"changes":${JSON.stringify(changes)}}`;
}

/** @param {Change} change @returns {string} what is changed, as the code has it; nothing for a descent */
export function placeOf(change) {
  if ("descend" in change) return "";
  return change.index?.length ? `${change.tensor}[${change.index.join(", ")}]` : change.tensor;
}

/** @param {Change} change @returns {string} what was done, in words and in Markdown */
export function changeWords(change) {
  if ("descend" in change)
    return `${counted(change.steps, "step")} of gradient descent, learning rate ${numberText(change.descend)}`;
  const place = `\`${placeOf(change)}\``;
  if ("value" in change) return `${place} = ${numberText(change.value)}`;
  if ("scale" in change) return `${place} × ${numberText(change.scale)}`;
  return `${place} + noise of size ${numberText(change.noise)}`;
}
