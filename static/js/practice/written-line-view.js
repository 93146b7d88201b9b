import { outcomeText } from "./attempts.js";
import { el } from "../shared/dom/elements.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./writings.js").Writings} Writings */

/** @param {string} code @returns {string} without its layout: the rows that a long line is broken into don't count */
function inOneRow(code) {
  return code
    .replace(/\s+/g, "")
    .replace(/,(?=[)\]])/g, "")
    .replace(/=\(([^]*)\)$/, "=$1");
}

/**
 * @param {Frame} frame @param {Writings} writings
 * @returns {HTMLElement|null} how a line came out, said above the picture
 */
export function writtenLine({ state, step, inspecting }, writings) {
  const attempt = writings.at(step);
  if (!state.writeIt || inspecting || !attempt.outcome) return null;
  const right = attempt.outcome === "right";
  const own = attempt.accepted.trim();
  const differs = right && inOneRow(own) !== inOneRow(step.code) && !own.includes("\n");
  return el(
    "p",
    { class: "answered" },
    el("span", { class: right ? "right" : "not" }, `${right ? "✓" : "▸"} ${outcomeText(attempt)}`),
    differs ? el("span", { class: "true-answer" }, "yours: ", el("code", {}, own)) : null,
    el("span", { class: "tally" }, `${writings.score} in this session`),
  );
}
