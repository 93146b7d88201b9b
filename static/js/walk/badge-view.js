import { LEVELS } from "./verdict-levels.js";
import { el } from "../shared/dom/elements.js";

/** @param {string} level @returns {HTMLElement} the small sign worn by a node: a shape, a glyph and a title */
export function badgeDot(level) {
  const dot = el("span", { class: "badge-dot", "aria-hidden": "true" });
  setDot(dot, level);
  return dot;
}

/** @param {HTMLElement} dot @param {string} level */
export function setDot(dot, level) {
  dot.className = `badge-dot level-${level}`;
  dot.textContent = LEVELS[level][0];
  dot.title = LEVELS[level][1];
}

/** @param {string} level @param {string} [extra] @returns {HTMLElement} the badge with its word */
export function badge(level, extra = "") {
  return el(
    "span",
    { class: `badge level-${level}`, title: LEVELS[level][2] },
    badgeDot(level),
    el("span", {}, LEVELS[level][1]),
    extra ? el("span", { class: "extra" }, extra) : null,
  );
}
