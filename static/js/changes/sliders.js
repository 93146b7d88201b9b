import { amountOf, changeWords, kindOf, placeOf, withAmount } from "../walk/changes.js";
import { numberText } from "../shared/format.js";
import { counted } from "../shared/plural.js";
import { numel } from "../shared/shape.js";
/** @typedef {import("../walk/changes.js").Change} Change */
/** @typedef {import("../walk/changes.js").Index} Index */
/** @typedef {import("../walk/changes.js").Kind} Kind */
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {{least: number, greatest: number, step: number, value: number}} Slider */
/** @typedef {{words: string, index: Index}} Part some cells of a tensor, as a person calls them */

const MOST_STEPS = 100;
/** What of a change may be negative. */
const SIGNED = new Set(["value", "shift"]);
/** Steps of a slider from one end to the other. */
const FINE = 200;

/** @param {number} size more than 0 @returns {number} the next of 1, 2, 5, 10, 20 … */
export function roundUp(size) {
  const power = 10 ** Math.floor(Math.log10(size));
  const lead = [1, 2, 5, 10].find((one) => one * power >= size * (1 - 1e-9)) ?? 10;
  return Number((lead * power).toPrecision(3));
}

/**
 * @param {Change} change @param {number} [most] the greatest end that it has had
 * @returns {Slider} wide enough that the change can be made twice as large
 */
export function sliderOf(change, most = 0) {
  const value = amountOf(change);
  const kind = kindOf(change);
  const size = Math.abs(value);
  if (kind === "descend") {
    const greatest = Math.min(MOST_STEPS, Math.max(most, 20, roundUp(2 * size)));
    return { least: 1, greatest, step: 1, value };
  }
  const fresh = kind === "scale" && size < 4 ? 4 : roundUp(2 * size || 1);
  const greatest = most > size ? most : fresh;
  const least = SIGNED.has(kind) || value < 0 ? -greatest : 0;
  return { least, greatest, step: greatest / FINE, value };
}

/** @param {Change} change @returns {string} which slider it is, while its amount changes */
export function keyOf(change) {
  return "descend" in change ? `descend ${change.descend}` : `${kindOf(change)} ${placeOf(change)}`;
}

/** @param {Change[]} changes @returns {string[]} a key for each, also where two are of the same cells */
export function turnsOf(changes) {
  const seen = new Map();
  return changes.map((change) => {
    const key = keyOf(change);
    seen.set(key, (seen.get(key) ?? 0) + 1);
    return `${key} ${seen.get(key)}`;
  });
}

/** @param {Change[]} changes @param {number} at @param {number} amount @returns {Change[]} with that one so large */
export function adjusted(changes, at, amount) {
  return changes.map((change, i) => (i === at ? withAmount(change, amount) : change));
}

/**
 * @param {Change} change that is moved @param {string} lossName @param {number} before the loss as it was
 * @param {number} after @returns {string} what it did, to be read and spoken
 */
export function effectWords(change, lossName, before, after) {
  const words = changeWords(change).replaceAll("`", "");
  return `${words}: ${lossName} ${lossText(before)} to ${lossText(after)}.`;
}

/** @param {number} loss */
function lossText(loss) {
  return numberText(loss, 4);
}

/**
 * The cells that a menu offers: all of them; of a chosen cell its row and its column, or all that are chosen.
 * @param {string} variable @param {number[]} shape @param {number[]|null} cell @param {[number, number][]|null} box
 * @returns {Part[]} what was chosen first
 */
export function partsOf(variable, shape, cell, box) {
  const all = { words: `all of \`${variable}\`, ${counted(numel(shape), "cell")}`, index: [] };
  if (box) return [{ words: boxWords(box), index: indexOf(box, shape) }, all];
  if (!cell || !shape.length) return [all];
  const row = { words: `row ${cell[0]}`, index: [cell[0]] };
  const last = cell[cell.length - 1];
  const column = { words: `column ${last}`, index: [...cell.slice(1).map(() => null), last] };
  if (shape.length === 1) return [all, { words: `cell ${last}`, index: [last] }];
  return [all, ...(shape[0] > 1 ? [row] : []), ...(shape[shape.length - 1] > 1 ? [column] : [])];
}

/** @param {[number, number][]} box @param {number[]} shape @returns {Index} as short as it can be said */
function indexOf(box, shape) {
  const index = box.map(([from, end], axis) => {
    if (end - from === shape[axis]) return null;
    return end - from === 1 ? from : /** @type {[number, number]} */ ([from, end]);
  });
  while (index.length && index[index.length - 1] === null) index.pop();
  return index;
}

/** @param {[number, number][]} box */
function boxWords(box) {
  const count = box.reduce((product, [from, end]) => product * (end - from), 1);
  return `the ${counted(count, "chosen cell")}`;
}

/**
 * What can be done to them, and how much of it there is at first: in proportion to the numbers that are there.
 * @type {{kind: Kind, sign: string, name: string, words: string, amount: (size: number) => number}[]}
 */
export const DEEDS = [
  { kind: "scale", sign: "×", name: "scale", words: "multiply by a number", amount: () => 2 },
  { kind: "shift", sign: "+", name: "shift", words: "add a number", amount: (size) => roundUp(size / 2) },
  { kind: "noise", sign: "~", name: "noise", words: "add normal noise", amount: (size) => roundUp(size / 2) },
  { kind: "value", sign: "0", name: "zero", words: "set to zero", amount: () => 0 },
  {
    kind: "saturate",
    sign: "±",
    name: "saturate",
    words: "give every cell the same size, with its own sign",
    amount: (size) => roundUp(3 * size),
  },
];

/**
 * @param {Kind} kind @param {string} tensor @param {Index} index @param {number} size root mean square of the tensor
 * @returns {Change}
 */
export function changeOf(kind, tensor, index, size) {
  const deed = DEEDS.find((one) => one.kind === kind);
  const where = { tensor, ...(index.length ? { index } : {}) };
  const amount = deed ? deed.amount(size > 0 && Number.isFinite(size) ? size : 1) : 0;
  return /** @type {Change} */ ({ ...where, [kind]: amount, ...(kind === "noise" ? { seed: 0 } : {}) });
}

/** @param {Walk} walk @param {string} name @returns {string} what moving it does besides; nothing for what is given */
export function cutWords(walk, name) {
  if (!walk.forwardIndex.has(name)) return "";
  const { variable, source } = walk.node(name);
  const line = (source ?? "").replace(/\s*#.*$/, "").trim();
  return `Once moved, \`${variable}\` no longer follows from \`${line}\`: no gradient goes back through that line.`;
}

/**
 * @param {Frame} frame
 * @returns {string|null} the tensor whose numbers can be changed here: the one with the chosen cell, else the step's
 */
export function changeable({ walk, state, node, asking }) {
  const about = state.cell && state.tensor ? walk.node(state.tensor) : node;
  const whole = !/^f/.test(about.value.dtype);
  return asking || whole || about.inner || about.name === walk.document.loss.name ? null : about.name;
}
