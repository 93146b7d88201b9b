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
    el("summary", {}, ...prose(byShape(all)), el("span", { class: "decision" }, ...prose(decision(all)))),
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

/** @param {Candidate[]} all @returns {string} how many have the right shape, and whether that decides */
export function byShape(all) {
  const fitting = all.filter((candidate) => candidate.fits).length;
  const own = all.find((candidate) => candidate.own);
  if (!own) return "";
  if (fitting === 1) return `Of ${all.length} orders and transposes, only \`${own.code}\` has the right shape`;
  return `${fitting} of ${all.length} orders and transposes have the right shape: shape alone doesn't decide.`;
}

/** @param {Candidate[]} all @returns {string} which one is right, and why, where its shape alone doesn't say so */
export function decision(all) {
  const own = all.find((candidate) => candidate.own);
  const isOnly = all.filter((candidate) => candidate.fits).length === 1;
  return !own || isOnly ? "" : ` \`${own.code}\` is right: ${own.why}`;
}

/** @param {Candidate} candidate @returns {string} */
function outcome({ left, right, result, fits, own, why }) {
  if (!result) return `${left[left.length - 1]} ≠ ${right[right.length - 2] ?? right[0]}`;
  if (!fits) return `${shapeText(result)}, another shape`;
  return own ? `${shapeText(result)}, the shape it must have` : why;
}
