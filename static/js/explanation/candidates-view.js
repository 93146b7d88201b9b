import { shapeText } from "../shared/format.js";
import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("../walk/types.js").Candidate} Candidate */

/** @param {Candidate[]} all @returns {HTMLDetailsElement} what decides between them in a line, all of them behind it */
export function candidates(all) {
  const rows = all.map((candidate) =>
    el(
      "tr",
      { class: classOf(candidate) },
      el("td", {}, candidate.own ? "✓" : candidate.fits ? "≟" : "✕"),
      el("td", {}, candidate.code),
      el("td", {}, `${shapeText(candidate.left)} @ ${shapeText(candidate.right)}`),
      el("td", {}, outcome(candidate)),
    ),
  );
  return el(
    "details",
    { class: "shapes" },
    el("summary", {}, ...prose(decision(all))),
    el(
      "table",
      { class: "candidates" },
      el("caption", { class: "unseen" }, "Every order and transpose, and why it is right or not"),
      el("tbody", {}, ...rows),
    ),
  );
}

/** @param {Candidate} candidate @returns {string|null} */
function classOf({ own, fits }) {
  return own ? "fits" : fits ? "almost" : null;
}

/** @param {Candidate[]} all @returns {string} which one is right, and whether its shape alone says so */
export function decision(all) {
  const fitting = all.filter((candidate) => candidate.fits);
  const own = all.find((candidate) => candidate.own);
  if (!own) return "";
  if (fitting.length === 1) return `Of ${all.length} orders and transposes, only \`${own.code}\` has the right shape`;
  const fit = `${fitting.length} of ${all.length} orders and transposes have the right shape`;
  return `${fit}: shape alone doesn't decide. \`${own.code}\` is right: ${own.why}`;
}

/** @param {Candidate} candidate @returns {string} */
function outcome({ left, right, result, fits, own, why }) {
  if (!result) return `${left[left.length - 1]} ≠ ${right[right.length - 2] ?? right[0]}`;
  if (!fits) return `${shapeText(result)}, another shape`;
  return own ? `${shapeText(result)}, the shape it must have` : why;
}
