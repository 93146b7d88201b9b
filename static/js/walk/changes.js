import { numberText } from "../shared/format.js";
import { counted } from "../shared/plural.js";
/**
 * Where along each axis: a place, a range up to its end, or all of it; axes left out are taken whole.
 * @typedef {(number|[number, number]|null)[]} Index
 */
/**
 * A change by hand, as POST /api/walk takes it: to some cells of a tensor or to all of them, or by steps of gradient
 * descent.
 * @typedef {{tensor: string, index?: Index, value: number}
 *   | {tensor: string, index?: Index, scale: number}
 *   | {tensor: string, index?: Index, shift: number}
 *   | {tensor: string, index?: Index, saturate: number}
 *   | {tensor: string, index?: Index, noise: number, seed?: number}
 *   | {descend: number, steps: number}} Change
 */
/** @typedef {"value"|"scale"|"shift"|"saturate"|"noise"|"descend"} Kind */

const MOST = 64;
const MOST_STEPS = 100;
const NUMBER = "(-?\\d+(?:\\.\\d+)?(?:e-?\\d+)?)";
const PLACE = "([A-Za-z_]\\w*)((?:\\.(?:\\d+(?:-\\d+)?|_))*)";
const DESCENT = new RegExp(`^descend:${NUMBER}\\*(\\d{1,3})$`);
const MOVE = new RegExp(`^${PLACE}([:*;!~])${NUMBER}(?:@(\\d{1,15}))?$`);
/** What stands between the place and the number. */
const SIGNS = /** @type {Record<string, string>} */ ({ value: ":", scale: "*", shift: ";", saturate: "!", noise: "~" });

/** @param {Change} change @returns {Kind} */
export function kindOf(change) {
  return /** @type {Kind} */ (Object.keys(SIGNS).find((kind) => kind in change) ?? "descend");
}

/**
 * Changes as a link says them, such as `b2.5:0.13,W1*2,h._.3!3,W1.0-4~0.1@3,descend:0.1*10`.
 * @param {Change[]} changes @returns {string}
 */
export function changesText(changes) {
  return changes.map(textOf).join(",");
}

/** @param {Change} change @returns {string} */
function textOf(change) {
  if ("descend" in change) return `descend:${digits(change.descend)}*${change.steps}`;
  const axes = (change.index ?? []).map((at) => (at === null ? "_" : Array.isArray(at) ? at.join("-") : at));
  const seed = "noise" in change ? `@${change.seed ?? 0}` : "";
  return `${[change.tensor, ...axes].join(".")}${SIGNS[kindOf(change)]}${digits(amountOf(change))}${seed}`;
}

/** @param {Change} change @returns {number} what a slider moves: the size of the change, or how often it is made */
export function amountOf(change) {
  if ("descend" in change) return change.steps;
  return /** @type {Record<string, any>} */ (change)[kindOf(change)];
}

/** @param {Change} change @param {number} amount @returns {Change} the same, of another size */
export function withAmount(change, amount) {
  return "descend" in change ? { ...change, steps: amount } : { ...change, [kindOf(change)]: amount };
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
  const steps = DESCENT.exec(text);
  if (steps) return descent(Number(steps[1]), Number(steps[2]));
  const found = MOVE.exec(text);
  if (!found) return null;
  const [, tensor, places, sign, amount, seed] = found;
  const kind = Object.keys(SIGNS).find((one) => SIGNS[one] === sign) ?? "";
  if ((kind === "noise") !== (seed !== undefined)) return null;
  const index = places.split(".").slice(1).map(alongIn);
  const where = { tensor, ...(index.length ? { index } : {}) };
  return /** @type {Change} */ ({ ...where, [kind]: Number(amount), ...(seed ? { seed: Number(seed) } : {}) });
}

/** @param {string} text @returns {Index[number]} */
function alongIn(text) {
  if (text === "_") return null;
  const ends = text.split("-").map(Number);
  return ends.length > 1 ? [ends[0], ends[1]] : ends[0];
}

/** @param {number} descend @param {number} steps @returns {Change|null} */
function descent(descend, steps) {
  return steps >= 1 && steps <= MOST_STEPS ? { descend, steps } : null;
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
  return "descend" in change ? "" : placeText(change.tensor, change.index ?? []);
}

/** @param {string} tensor @param {Index} index @returns {string} such as W1[:, 3], as Python has it */
export function placeText(tensor, index) {
  const axes = index.map((at) => (at === null ? ":" : Array.isArray(at) ? at.join(":") : String(at)));
  return axes.length ? `${tensor}[${axes.join(", ")}]` : tensor;
}

/** @param {Change} change @returns {string} what was done, in words and in Markdown */
export function changeWords(change) {
  if ("descend" in change)
    return `${counted(change.steps, "step")} of gradient descent, learning rate ${numberText(change.descend)}`;
  const place = `\`${placeOf(change)}\``;
  if ("value" in change) return `${place} = ${numberText(change.value)}`;
  if ("scale" in change) return `${place} × ${numberText(change.scale)}`;
  if ("saturate" in change) return `${place} → ±${numberText(change.saturate)}`;
  if ("shift" in change)
    return `${place} ${change.shift < 0 ? "−" : "+"} ${numberText(change.shift < 0 ? -change.shift : change.shift)}`;
  return `${place} + noise of size ${numberText(change.noise)}`;
}

/**
 * @param {import("./walk.js").Walk} walk @param {Change} change
 * @returns {boolean} whether it cuts a tensor off its line
 */
export function cutsLine(walk, change) {
  return "tensor" in change && [...walk.forwardIndex.keys()].some((name) => walk.node(name).variable === change.tensor);
}
