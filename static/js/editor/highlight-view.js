import { lex } from "./lexer.js";
import { KNOWN } from "./program-names.js";
import { el } from "../shared/dom/elements.js";
import { markShown } from "../shared/dom/shown.js";
/** @typedef {import("./diagnosis.js").Span} Span */
/** @typedef {{text: string, look: string}} Run */

/**
 * Draws a text line by line, touching only the lines that changed.
 * @param {HTMLElement} root @param {string} source @param {Set<string>} inputs names from the tables
 * @param {Span[]} wrong @param {Span|null} shown the one of them that is told
 */
export function paintLines(root, source, inputs, wrong, shown) {
  const lines = source.split("\n");
  while (root.children.length > lines.length) root.lastElementChild?.remove();
  while (root.children.length < lines.length) root.append(el("span", { class: "line" }));
  lines.forEach((line, i) => {
    const element = /** @type {HTMLElement} */ (root.children[i]);
    const marks = wrong.filter((span) => span.line === i + 1);
    const look = (/** @type {Span} */ span) => (span === shown ? "mistake shown" : "mistake");
    const runs = marks.reduce((cut, span) => marked(cut, span, look(span)), runsOf(line, inputs));
    if (!markShown(element, runs)) return;
    element.classList.toggle("has-mistake", marks.length > 0);
    element.replaceChildren(...runs.map(({ text, look }) => (look ? el("span", { class: look }, text) : text)));
    if (!line) element.append("\u200b");
  });
}

/** @param {string} line @param {Set<string>} inputs @returns {Run[]} */
function runsOf(line, inputs) {
  const pieces = lex(line);
  const equals = pieces.findIndex(({ text }) => text === "=");
  return pieces.map(({ text, kind }, i) => ({ text, look: lookOf(text, kind, i < equals, inputs) }));
}

/** @param {string} text @param {import("./lexer.js").Kind} kind @param {boolean} left @param {Set<string>} inputs */
function lookOf(text, kind, left, inputs) {
  if (kind === "comment" || kind === "string" || kind === "keyword") return `lex-${kind}`;
  if (kind !== "name") return "";
  if (inputs.has(text)) return "lex-input";
  if (KNOWN.has(text)) return "lex-module";
  return left ? "lex-made" : "";
}

/**
 * @param {Run[]} runs @param {Span} span @param {string} mark
 * @returns {Run[]} cut where the mistake begins and ends
 */
function marked(runs, span, mark) {
  let at = 0;
  /** @type {Run[]} */
  const cut = [];
  for (const { text, look } of runs) {
    const [from, to] = [span.from - at, span.to - at].map((place) => Math.max(0, Math.min(text.length, place)));
    at += text.length;
    cut.push(
      { text: text.slice(0, from), look },
      { text: text.slice(from, to), look: `${look} ${mark}` },
      { text: text.slice(to), look },
    );
  }
  if (span.from >= at) cut.push({ text: "\u00a0", look: mark });
  return cut.filter(({ text }) => text);
}
