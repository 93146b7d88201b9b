import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { blocksWords } from "./jacobian.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./jacobian.js").Jacobian} Jacobian */

/** @param {Frame} frame @param {Jacobian} answer @returns {HTMLElement} what it looks like, and whether it is right */
export function drawSaid(frame, answer) {
  const zero = frame.node.gradient?.verdict.level === "zero";
  return el("p", {}, ...prose(wordsOf(frame, answer)), ...noteOf(answer, frame.walk.node(answer.node).variable, zero));
}

/**
 * @param {Frame} frame @param {Jacobian} answer
 * @returns {string} what it looks like; of a block, how many there are and what it is
 */
function wordsOf(frame, answer) {
  const [blocks, itself] = [blocksWords(frame, answer), answer.itself ? ` It is \`${answer.itself}\` itself.` : ""];
  const { words } = answer;
  const lower = /^[A-Z][a-z]/.test(words) ? words[0].toLowerCase() + words.slice(1) : words;
  return blocks ? `${blocks} In this one: ${lower}${itself}` : words + itself;
}

/**
 * @param {Jacobian} answer @param {string} variable @param {boolean} zero whether the gradient's true value is zero
 * @returns {(Node|string)[]}
 */
function noteOf({ across, at, agrees, shown }, variable, zero) {
  if (across)
    return [
      " ",
      el(
        "span",
        { class: "across" },
        `Other cells of ${variable} read this part, too: this is only what entry ${at.join(", ")} brings.`,
      ),
    ];
  if (!agrees && zero) return [" ", el("span", {}, "The true value is zero: the line gives other roundings.")];
  if (!agrees) return [" ", el("strong", { class: "broken" }, "✕ The line of this step gives something else.")];
  return shown ? [" ", el("span", { class: "fits" }, "✓ equals the line’s result")] : [];
}
