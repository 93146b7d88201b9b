import { numberText } from "../model/format.js";
import { cellWords } from "../model/labels.js";
import { LEVELS } from "../model/sentence.js";
import { badge } from "./badge.js";
import { el } from "./dom.js";
import { prose } from "./prose.js";
/** @typedef {import("../model/frame.js").Frame} Frame */
/** @typedef {import("../model/types.js").Verdict} Verdict */

/** How the gradient compares with autograd's, and why. @param {() => void} exact switches the exact rules */
export function mountVerdict(exact) {
  const root = el("div", { class: "verdict" });
  let open = false;
  /** @type {Frame|null} */
  let shown = null;

  /** @param {Frame} frame */
  function update(frame) {
    shown = frame;
    const { node, walk, known, step } = frame;
    const { stage } = walk.gradientAt(node.name, known);
    if (step.direction === "forward" || !node.gradient || stage !== "complete") return root.replaceChildren(waiting(frame, stage));
    const { verdict } = node.gradient;
    root.replaceChildren(badge(verdict.level), el("span", { class: "figures" }, figures(verdict)), ...whyNot(verdict, frame));
  }

  /** @param {Verdict} verdict @param {Frame} frame @returns {Node[]} */
  function whyNot(verdict, frame) {
    if (verdict.level === "exact") return [];
    const toggle = el("button", { type: "button", class: "link", "aria-expanded": String(open) }, verdict.level === "zero" ? "why zero?" : "why not exact?");
    toggle.addEventListener("click", () => {
      open = !open;
      if (shown) update(shown);
      root.querySelector("button")?.focus();
      root.querySelector(".why")?.scrollIntoView({ block: "nearest" });
    });
    return open ? [toggle, reason(verdict, frame)] : [toggle];
  }

  /** @param {Verdict} verdict @param {Frame} frame */
  function reason(verdict, frame) {
    const change = el("button", { type: "button", class: "link" }, frame.state.exact ? "back to the readable rules" : "run the exact rules");
    change.addEventListener("click", exact);
    return el("p", { class: "why" }, el("span", {}, ...prose(verdict.because), worstWords(verdict, frame)), verdict.exact ? null : change);
  }

  return { root, update };
}

/** @param {Verdict} verdict @param {Frame} frame @returns {string} where it differs most */
function worstWords(verdict, { node, walk }) {
  const where = cellWords(walk.document.labels, node.dims, node.shape, verdict.worst);
  return where && verdict.maxdiff > 0 ? ` Largest at ${where}.` : "";
}

/** @param {Verdict} verdict */
function figures(verdict) {
  return `max difference ${numberText(verdict.maxdiff, 2)} · ${verdict.max_ulp} ulp · rel. error ${numberText(verdict.relative_error, 1)} in float64`;
}

/** @param {Frame} frame @param {string} stage */
function waiting(frame, stage) {
  if (stage === "partial" && frame.step.direction === "backward") return el("span", {}, `${LEVELS.partial[1]}: the verdict waits until every path has arrived`);
  if (frame.node.inner) return el("span", {}, "a step on the way: its name is used in the lines that follow, which are compared");
  return el("span", {}, frame.node.gradient ? "gradient not yet computed: it comes on the way back" : "no gradient: whole numbers cannot be moved a little");
}
