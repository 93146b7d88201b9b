import { numberText } from "../shared/format.js";
import { checkOf, formulaOf, numbersText } from "./lens.js";
import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("./lens.js").Answer} Answer */

/** @param {Answer} answer @param {number} room in letters @returns {HTMLElement[]} its sum */
export function formulaParts(answer, room) {
  const formula = formulaOf(answer);
  const sum = numbersText(answer, Math.max(24, room - (formula?.name.length ?? 0) - 3));
  const numbers = sum === formula?.right.map(({ text }) => text).join("") ? "" : sum;
  if (!formula && !numbers) return [];
  return [
    el("span", {}, formula?.name ?? ""),
    ...(formula ? [rightOf(formula)] : []),
    ...(numbers ? [el("span", { class: "numbers" }, `= ${numbers}`)] : []),
  ];
}

/** @param {NonNullable<ReturnType<typeof formulaOf>>} formula */
function rightOf({ sign, right, letters }) {
  const parts = right.map(({ text, low }) => (low ? el("sub", {}, text) : text));
  return el("span", {}, `${sign} `, ...parts, letters ? el("span", { class: "letters" }, letters) : "");
}

/** @param {Answer} answer @param {string} reads how the sum reads @returns {(Node|string)[]} whether it comes out */
export function checkParts(answer, reads) {
  const { fits, text } = checkOf(answer);
  return [
    ...(fits ? [reads ? `${reads} ` : ""] : [el("b", { class: "alarm" }, "✕ ")]),
    ...(answer.terms.length || !fits ? verdictOf(answer, fits, text) : []),
    ...(answer.because ? [". ", ...prose(answer.because)] : []),
  ];
}

/** @param {Answer} answer @param {boolean} fits @param {string} text @returns {(Node|string)[]} */
function verdictOf({ adds, sum }, fits, text) {
  if (!fits) return [text];
  return [
    ...(adds ? [el("span", {}, "Σ = "), el("b", {}, numberText(sum, 5)), " "] : []),
    el("span", { class: "tick-word" }, "✓ "),
    text,
  ];
}
