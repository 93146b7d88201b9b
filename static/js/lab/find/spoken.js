import { numberText, toldApart } from "../../shared/format.js";
import { numberIn } from "../../shared/json-number.js";
/** @typedef {import("../types.js").Bug} Bug */
/** @typedef {import("../types.js").BugLine} BugLine */
/** @typedef {import("./game.js").Deed} Deed */

/** @param {import("../types.js").BugNudge} nudge @returns {string} both numbers, and whether they are one */
export function nudgeWords({ name, cell, printed, numeric, agrees }) {
  const numbers = [printed, numeric].map(numberIn);
  const [mine, theirs] = agrees ? numbers.map((one) => numberText(one, 5)) : toldApart(numbers, 5);
  const place = `\`${name}[${cell.join(", ")}]\``;
  return agrees
    ? `${place} is **${mine}** as printed, and **${theirs}** when nudged: they agree in this cell.`
    : `${place} is **${mine}** as printed, but **${theirs}** when nudged.`;
}

/**
 * A nudge is of the whole gradient, so it can't judge a line that gives only a part of it.
 * @param {Pick<Bug, "lines">} bug @param {BugLine} of @returns {string} why it isn't nudged; empty where it is
 */
export function unnudgedWords({ lines }, { line, name, named }) {
  if (!named) return "It is of no named tensor, so it can’t be nudged.";
  const last = Math.max(...lines.filter((one) => one.name === name).map((one) => one.line));
  return last === line ? "" : `Line ${last + 1} adds to it: nudge it there, where it is whole.`;
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
