import { numberIn } from "../shared/json-number.js";
import { digitsText, splitAgreeing } from "./digits.js";
import { numberText } from "../shared/format.js";
import { cellWords } from "../shared/axis-labels.js";
import { stepWords } from "../evidence/oracles.js";
import { LEVELS } from "../walk/verdict-levels.js";
import { el } from "../shared/dom/elements.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./differences.js").Nudge} Nudge */
/** @typedef {import("./differences.js").Finding} Finding */

const ASKED = 1e-7;

/**
 * @param {Frame} frame @param {Nudge} nudge
 * @returns {HTMLElement} the three numbers one below the other, and what they amount to
 */
export function findingBox(frame, nudge) {
  const [manual, autograd, central] = [nudge.analytic, nudge.autograd, nudge.numeric].map((told) =>
    digitsText(numberIn(told)),
  );
  const where = nudge.cell ? el("p", { class: "finding-cell" }, cellTitle(frame, nudge.cell)) : null;
  return el(
    "section",
    { class: "finding", "aria-label": "What the three oracles say" },
    where,
    el(
      "dl",
      {},
      ...line("manual", manual, manual),
      ...(nudge.autograd === null ? [] : line("autograd", autograd, manual)),
      ...(nudge.kink ? slopes(nudge.kink, manual) : line("central differences", central, manual)),
    ),
    outcome(nudge),
  );
}

/**
 * @param {string} name @param {string} text
 * @param {string} reference digits that are not those of the reference are set apart @returns {HTMLElement[]}
 */
function line(name, text, reference) {
  const [same, rest] = splitAgreeing(text, reference);
  return [el("dt", {}, name), el("dd", {}, same, rest ? el("span", { class: "unlike" }, rest) : null)];
}

/** @param {NonNullable<Finding["kink"]>} kink @param {string} manual */
function slopes({ left, right }, manual) {
  return [
    ...line("slope on the left", digitsText(numberIn(left)), manual),
    ...line("slope on the right", digitsText(numberIn(right)), manual),
  ];
}

/** @param {Finding} nudge */
function outcome(nudge) {
  const error = numberIn(nudge.relative_error);
  const [level, words] = outcomeWords(nudge);
  const glyph = level === "kink" ? "∧" : LEVELS[level][0];
  return el(
    "div",
    { class: "outcome" },
    el(
      "span",
      { class: `badge level-${level}` },
      el("span", { class: `badge-dot level-${level}`, "aria-hidden": "true" }, glyph),
      words,
    ),
    nudge.kink
      ? null
      : el(
          "dl",
          { class: "figures" },
          el("dt", {}, "relative error"),
          el("dd", {}, numberText(error, 2)),
          el("dt", {}, "step"),
          el("dd", {}, stepWords(nudge)),
        ),
    nudge.kink ? el("p", {}, kinkWords(nudge)) : null,
  );
}

/** @param {Finding} nudge @returns {[string, string]} level and words */
function outcomeWords(nudge) {
  if (!nudge.agrees) return ["wrong", "they differ"];
  if (nudge.kink) return ["kink", "at a kink"];
  const silent = [nudge.analytic, nudge.numeric].every((told) => Math.abs(numberIn(told)) < ASKED);
  return silent ? ["zero", "all zero"] : ["exact", "they agree"];
}

const KINK = "Here the loss has a kink: its slope differs on either side.";

/** @param {Finding} nudge */
function kinkWords({ agrees, analytic, autograd }) {
  const rule = numberText(numberIn(analytic), 4);
  if (!agrees) return `${KINK} Any number between the two would do, but the rule's ${rule} lies outside.`;
  const alike = numberIn(autograd) === numberIn(analytic) ? ", as PyTorch does" : "";
  const taken = `Any number between the two would do; the rule takes ${rule}${alike}.`;
  return `${KINK} ${taken} A central difference straddles the kink and finds their mean.`;
}

/** @param {Frame} frame @param {number[]} cell */
function cellTitle({ node, walk }, cell) {
  const words = cellWords(walk.document.labels, node.dims, node.shape, cell);
  return `d${node.variable}[${cell.join(", ")}]${words ? ` · ${words}` : ""}`;
}

/** @param {Frame} frame @param {(Finding & {cell: number[]})[]} cells */
export function cellTable({ node }, cells) {
  const head = ["cell", "manual", "central differences", "relative error", "verdict"].map((name) =>
    el("th", { scope: "col" }, name),
  );
  const rows = cells.map((cell) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, `[${cell.cell.join(", ")}]`),
      ...[cell.analytic, cell.numeric].map((told) => el("td", {}, numberText(numberIn(told), 8))),
      el("td", {}, numberText(numberIn(cell.relative_error), 2)),
      el("td", {}, cell.kink ? "∧ kink" : cell.agrees ? "✓" : "✕ differs"),
    ),
  );
  return el(
    "div",
    {
      class: "cell-findings",
      tabindex: 0,
      role: "region",
      "aria-label": `The cells of d${node.variable} that were moved`,
    },
    el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows)),
  );
}
