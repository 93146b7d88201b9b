import { LEVELS, shownLevel } from "../walk/verdict-levels.js";
import { numberText, steadyText, toldApart } from "../shared/format.js";
import { RATES } from "../walk/rates.js";
import { counted } from "../shared/plural.js";
/** @typedef {import("../walk/types.js").Level} Level */
/** @typedef {import("../walk/types.js").JsonNumber} JsonNumber */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {{level: Level, count: number, word: string, steps: {variable: string, index: number}[]}} Tally */
/** @typedef {import("../lens/types.js").DescentStep} Descended */
/** @typedef {import("../lens/types.js").Descent} Descent */

/** What asks for attention comes first. */
const ORDER = /** @type {Level[]} */ (Object.keys(LEVELS).reverse());

/**
 * How many gradients came out how, the loss's own left out, each with the step that completes it.
 * @param {Walk} walk @returns {Tally[]}
 */
export function tallies(walk) {
  const { nodes, loss } = walk.document;
  const judged = nodes.filter((node) => node.gradient && node.name !== loss.name && walk.backwardIndex.has(node.name));
  return ORDER.map((level) => {
    const steps = judged
      .filter((node) => node.gradient && shownLevel(node.gradient.verdict) === level)
      .map((node) => ({ variable: `d${node.variable}`, index: walk.backwardIndex.get(node.name)?.at(-1) ?? 0 }));
    const word = level === "zero" && steps.length > 1 ? "true zeros" : LEVELS[level][1];
    return { level, count: steps.length, word, steps };
  }).filter(({ count }) => count);
}

/** @param {Tally[]} all @returns {string} */
export function tallyWords(all) {
  return `${counted(
    all.reduce((sum, { count }) => sum + count, 0),
    "gradient",
  )}:`;
}

/**
 * A descent of the same length in words, which keeps the room of one that is on its way.
 * @param {Walk} walk @returns {Descent}
 */
export function expected(walk) {
  const { nodes, loss: known } = walk.document;
  const parameters = nodes.filter(({ role, gradient }) => role === "parameter" && gradient);
  const loss = known.value;
  const steps = RATES.map((rate) => ({ rate, loss, promised: loss }));
  return { parameters: parameters.map(({ name }) => name), loss, squared_gradient: 0, steps };
}

/** @param {Descent} descent @param {number} rate @returns {string} what is done in a step of gradient descent */
export function stepWords({ parameters }, rate) {
  const [first] = parameters;
  const whose = parameters.length === 1 ? `\`${first}\` moves` : `Each of the ${parameters.length} parameters moves`;
  return `${whose} against its gradient: \`${first} -= ${numberText(rate)} * d${first}\`.`;
}

/**
 * @param {Descent} descent @param {number} chosen index of the learning rate @param {string} loss its name
 * @returns {string} what came of it, and what the gradients had promised
 */
export function descentWords({ loss: before, steps }, chosen, loss) {
  const { loss: after, promised } = steps[chosen];
  const kept = Number.isFinite(Number(after)) && Number(after) <= Number(before);
  const far = kept ? "" : " That is too far.";
  const [from, to] = toldApart([Number(before), Number(after)], 4, steadyText);
  const went = `\`${loss}\` goes from **${from}** to **${to}**.`;
  return `${went} The gradients promised ${steadyText(Number(promised))}.${far}`;
}
