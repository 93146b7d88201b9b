import { GRADES, stands } from "./attempts.js";
import { comparisonPicture } from "./comparison-view.js";
import { wordsOf } from "./spoken-reply.js";
import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("./attempts.js").Attempt} Attempt */
/** @typedef {import("./attempts.js").Reply} Reply */
/**
 * How a gradient stands: `busy` while the server is asked, `problem` where it could not answer.
 * @typedef {{attempt: Attempt, reply: Reply|null, busy: boolean,
 *   problem: import("../walk/types.js").Problem|null}} Standing
 */
/** @typedef {import("./comparison-view.js").About} About */

const HINTS = ["Hint: the rule", "Hint: axis and shape", "Hint: the line"];

/**
 * What is said of an answer, below it: right or not and why, the hints that were asked for, both gradients.
 * @param {Standing} standing @param {About} about @returns {HTMLElement[]}
 */
export function feedback({ attempt, reply, busy, problem }, about) {
  /** @type {(HTMLElement|null)[]} */
  const parts = [verdict(reply, busy, problem)];
  const hints = stands(attempt) ? attempt.hints.slice(0, GRADES - 1) : attempt.hints;
  if (hints.length) parts.push(el("ol", { class: "hints" }, ...hints.map(hintItem)));
  if (reply?.gradient && !reply.correct && !busy) parts.push(comparisonPicture(reply.gradient, about));
  return parts.filter((part) => part !== null);
}

/**
 * @param {Reply|null} reply @param {boolean} busy @param {import("../walk/types.js").Problem|null} problem
 */
function verdict(reply, busy, problem) {
  if (busy) return el("p", { class: "says waits" }, "Checking…");
  if (problem) return el("p", { class: "says not" }, ...prose(`${problem.message} ${problem.hint ?? ""}`));
  if (reply) return says(reply.correct ? "right" : "not", reply.correct ? "✓" : "✕", wordsOf(reply));
  return null;
}

/** @param {string} hint @param {number} grade the last one is code */
function hintItem(hint, grade) {
  return el("li", {}, ...(grade === GRADES - 1 ? [el("pre", {}, el("code", {}, hint))] : prose(hint)));
}

/** @param {string} kind @param {string} glyph @param {string} words */
function says(kind, glyph, words) {
  return el(
    "p",
    { class: `says ${kind}` },
    el("span", { class: "glyph", "aria-hidden": "true" }, glyph),
    el("span", {}, ...prose(words)),
  );
}

/**
 * What can be done: check, the next hint, and when all hints were read, the line itself.
 * @param {Standing} standing @param {boolean} [helps] whether there are hints
 * @returns {HTMLElement[]} buttons, each with `data-act`
 */
export function answerTools({ attempt, reply, busy, problem }, helps = true) {
  const asked = attempt.hints.length;
  const open = !stands(attempt) || (reply !== null && !reply.correct);
  return [
    busy ? button("cancel", "Cancel") : null,
    !busy && open ? button("check", problem ? "Try again" : "Check", "↵") : null,
    !busy && open && helps && asked < GRADES ? button("hint", HINTS[asked]) : null,
    !busy && open && helps && asked >= GRADES ? button("show", "Show me") : null,
  ].filter((part) => part !== null);
}

/**
 * Puts the buttons into their place. Whoever pressed one finds the focus on the same, or on what takes its place.
 * @param {HTMLElement} root @param {HTMLElement[]} parts @param {HTMLElement} field
 */
export function placeTools(root, parts, field) {
  // a button that stays must be there when the pointer comes up again
  if (parts.length === root.children.length && parts.every((part, i) => part.isEqualNode(root.children[i]))) return;
  const had = root.contains(document.activeElement) ? document.activeElement?.getAttribute("data-act") : null;
  root.replaceChildren(...parts);
  if (!had) return;
  // while the server is asked, Cancel stands in the place of what was pressed
  const pressed = had === "cancel" ? root.dataset.pressed : had;
  root.dataset.pressed = pressed;
  const same = root.querySelector(`[data-act="${pressed}"]`) ?? root.querySelector("button");
  /** @type {HTMLElement} */ (same ?? field).focus();
}

/** @param {string} act @param {string} words @param {string} [key] */
export function button(act, words, key) {
  return el(
    "button",
    { type: "button", class: "button small", "data-act": act },
    words,
    key ? el("kbd", { "aria-hidden": "true" }, key) : null,
  );
}
