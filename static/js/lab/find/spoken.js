import { numberText } from "../../shared/format.js";
import { numberIn } from "../../shared/json-number.js";
/** @typedef {import("../types.js").Bug} Bug */
/** @typedef {import("./game.js").Deed} Deed */

/** @param {import("../types.js").BugNudge} nudge @returns {string} both numbers, and whether they are one */
export function nudgeWords({ name, cell, printed, numeric, agrees }) {
  const [mine, theirs] = [printed, numeric].map((one) => numberText(numberIn(one), 5));
  const place = `\`${name}[${cell.join(", ")}]\``;
  return agrees
    ? `${place} is **${mine}** as printed, and **${theirs}** when nudged: they agree.`
    : `${place} is **${mine}** as printed, but **${theirs}** when nudged.`;
}

/** @param {import("../types.js").BugRun} run @param {Pick<Bug, "wrong">} bug @returns {string} what came of it */
export function runWords({ line, losses }, { wrong }) {
  const same = losses.every((loss, i) => loss === wrong[i]);
  const end = numberText(numberIn(losses.at(-1)));
  return same
    ? `With line ${line + 1} put right the run is the same: this line is right already.`
    : `With line ${line + 1} put right the run ends at **${end}**.`;
}

/**
 * @param {Bug} bug @param {Deed} deed @param {any} told @returns {string} what came of a deed, for a voice
 */
export function spoken(bug, deed, told) {
  const line = deed.line === undefined ? "" : `line ${deed.line + 1}`;
  switch (deed.do) {
    case "gradient":
      return `The gradient that ${line} leaves, ${told.name}, is drawn.`;
    case "nudge":
      return plain(nudgeWords(told));
    case "lens":
      return `${told.formula || "No formula"}: ${numberText(numberIn(told.value), 5)}.`;
    case "run":
      return plain(runWords(told, bug));
    case "hint":
      return plain(told.text);
    case "accuse":
      return told.right ? `It is ${line}. What is wrong with it?` : `It isn’t ${line}.`;
    default:
      return "That isn’t what is wrong with it.";
  }
}

/** @param {string} text */
function plain(text) {
  return text.replace(/[`*]/g, "");
}
