import { counted } from "../shared/plural.js";
import { el } from "../shared/dom/elements.js";
import { boxesPicture } from "./setup-view.js";
import { addressOf } from "./address.js";
/** @typedef {import("./session.js").Session} Session */

/**
 * How a deck came out, drill by drill, and where to go from there.
 * @param {HTMLElement} root
 * @param {{results: ReturnType<typeof import("./session.js").resultsOf>, asked: import("./address.js").Asked,
 *   drills: import("./deck.js").Drill[], boxes: import("../practice/boxes.js").Boxes}} outcome
 */
export function fillEnd(root, { results: { results, right, kinds }, asked, drills, boxes }) {
  const next = el(
    "a",
    { class: "button strong", href: addressOf({ ...asked, seed: following(asked.seed) }) },
    "Next deck",
  );
  root.replaceChildren(
    el("h2", { tabindex: "-1" }, `${right} of ${counted(results.length, "drill")} right at once`),
    el(
      "p",
      { class: "kinds" },
      kinds.length ? "Mistakes: " : "No mistake.",
      kinds.map(({ kind, count }) => `${kind} ${count}×`).join(", "),
    ),
    el(
      "div",
      { class: "blank-tools" },
      next,
      el("a", { class: "link", href: addressOf({ ...asked, seed: null }) }, "Other rules"),
    ),
    el("ol", { class: "drill-results" }, ...results.map(resultRow)),
    boxesPicture(drills, boxes),
  );
  next.focus();
}

/** @param {import("./session.js").Result} result */
function resultRow({ drill, atOnce, kinds }) {
  return el(
    "li",
    { "data-state": atOnce ? "right" : "not" },
    el("span", { class: "glyph", "aria-hidden": "true" }, atOnce ? "✓" : "↻"),
    el("code", {}, drill.name),
    el("code", { class: "drill-line" }, drill.lines.join("; ")),
    el(
      "span",
      { class: "outcome" },
      atOnce ? "right at once" : ["comes again", kinds.join(", ")].filter(Boolean).join(": "),
    ),
  );
}

/** @param {number|null} seed @returns {number} of the deck after this one */
function following(seed) {
  return ((seed ?? 0) + 1) % 1_000_000;
}
