import { shapeWords } from "../shared/format.js";
import { firstSentence, spoken } from "../shared/prose.js";
import { levelAt } from "./frame.js";
import { plantedWords } from "./plant.js";
import { LEVELS } from "./verdict-levels.js";
/** @typedef {import("./frame.js").Frame} Frame */
/** @typedef {import("./types.js").Step} Step */

/** What may carry a step, the most telling first. */
const CARRIES = {
  forward: ["lesson", "broadcast", "local", "note"],
  backward: ["broadcast", "accumulate", "lesson", "local", "note", "upstream"],
};

/**
 * @param {Step} step
 * @returns {string} what carries this step, why it sums, why it adds, else the rule; and the insight that a lesson has
 *   to it
 */
export function gist(step) {
  const told = (/** @type {string} */ kind) =>
    step.explanation.filter((sentence) => sentence.kind === kind).pop()?.text ?? "";
  const carries = CARRIES[step.direction].map(told).find(Boolean) ?? "";
  const insight = told("lesson");
  if (!insight || carries === insight) return untitled(carries);
  // beside an insight the rule is told in short
  return [firstSentence(untitled(carries)), insight].filter(Boolean).join(" ");
}

/** @param {string} text @returns {string} without a question or a title before it */
function untitled(text) {
  return text.replace(/^\*\*[^*]+[?.:]\*\*\s*/, "");
}

/** @param {Frame} frame @returns {string} what the live region says */
export function announcement(frame) {
  const { step, node, walk } = frame;
  const place = placeWords(frame);
  if (frame.inspecting) return `Looking at ${node.variable}, ${node.role}, ${shapeWords(node.shape)}.`;
  if (frame.writing) return `${place}: write the gradient of ${node.variable}, ${shapeWords(node.shape)}.`;
  if (frame.asking && step.direction === "backward") return `${place}: ${spoken(step.question?.prompt ?? "")}`;
  if (step.direction === "forward")
    return `${place}: ${node.variable}, ${shapeWords(node.shape)}. ${spoken(gist(step))}`;
  const [, word] = LEVELS[levelAt(walk, step.node, frame.known)];
  const { planted } = walk.document;
  const said = planted?.step === step.index ? plantedWords(walk.document, true) : gist(step);
  return `${place}: gradient of ${node.variable}, ${shapeWords(node.shape)}, ${word}. ${spoken(said)}`;
}

/** @param {Frame} frame @returns {string} "Backward, step 24 of 51" */
export function placeWords({ walk, step }) {
  return stepWords(walk, step);
}

/**
 * A step has one number, everywhere.
 * @param {import("./walk.js").Walk} walk @param {Step} step @returns {string} "Backward, step 24 of 51"
 */
export function stepWords(walk, { direction, index }) {
  return `${direction === "forward" ? "Forward" : "Backward"}, step ${index + 1} of ${walk.steps.length}`;
}
