import { numberIn } from "../model/central.js";
import { cellWords } from "../model/labels.js";
import { autogradSays, differencesSay, notYet } from "../model/oracle.js";
import { LEVELS } from "../model/sentence.js";
import { withUlp } from "./badge.js";
import { el } from "./dom.js";
import { prose } from "./prose.js";
/** @typedef {import("../model/frame.js").Frame} Frame */
/** @typedef {import("../model/central.js").Differences} Differences */
/** @typedef {import("../model/oracle.js").Opinion} Opinion */
/** @typedef {import("../model/types.js").Verdict} Verdict */
/** @typedef {{exact: () => void, nudge: () => void, again: () => void, differences: Differences}} Acts `again` asks central differences about every gradient once more */

/** Three oracles side by side, the manual gradient, autograd's and central differences, with what each says. @param {Acts} acts */
export function mountVerdict(acts) {
  const root = el("div", { class: "verdict" });
  let open = false;
  /** @type {Frame|null} */
  let shown = null;

  /** @param {Frame} frame */
  function update(frame) {
    shown = frame;
    const { node, walk, known, step } = frame;
    const { stage } = walk.gradientAt(node.name, known);
    if (step.direction === "forward" || !node.gradient || stage !== "complete") return root.replaceChildren(el("p", { class: "waits" }, waiting(frame, stage)));
    const { verdict } = node.gradient;
    root.replaceChildren(
      el("dl", { class: "oracles" }, oracle("manual", null, walk.document.exact ? "the exact rules" : "the lines, run", `in ${walk.document.dtype}`),
        autograd(autogradSays(verdict), verdict), central(frame, verdict.level)),
      ...(open && verdict.level !== "exact" ? [reason(verdict, frame)] : []));
  }

  /** @param {Opinion} opinion @param {Verdict} verdict */
  function autograd({ level, glyph, says, detail }, verdict) {
    if (verdict.level === "exact") return oracle("autograd", { level, glyph }, says, detail);
    const toggle = button(verdict.level === "zero" ? "why zero?" : "why not exact?", () => {
      open = !open;
      if (shown) update(shown);
      root.querySelector("button")?.focus();
      root.querySelector(".why")?.scrollIntoView({ block: "nearest" });
    });
    toggle.setAttribute("aria-expanded", String(open));
    return oracle("autograd", { level, glyph }, says, detail, toggle);
  }

  /** @param {Frame} frame @param {string} level */
  function central({ node }, level) {
    const { differences } = acts;
    const finding = differences.findings.get(node.name);
    const { says, detail, ...sign } = finding ? differencesSay(finding, level) : notYet(differences, node.name);
    const more = [button("nudge it", acts.nudge, "nudge")];
    if (!finding && differences.stage === "failed") more.unshift(button("ask again", acts.again));
    const spoken = oracle("central differences", sign, says, detail, ...more);
    spoken.setAttribute("aria-busy", String(!finding && differences.stage === "asking"));
    return spoken;
  }

  /** @param {Verdict} verdict @param {Frame} frame */
  function reason(verdict, frame) {
    const change = button(frame.state.exact ? "back to the readable rules" : "run the exact rules", acts.exact);
    return el("p", { class: "why" }, el("span", {}, ...prose(verdict.because), worstWords(verdict, frame)), verdict.exact ? null : change);
  }

  return { root, update };
}

/** @param {string} name @param {{level: string, glyph: string}|null} sign @param {string} says @param {string} detail @param {...HTMLElement} more */
function oracle(name, sign, says, detail, ...more) {
  const dot = sign && el("span", { class: `badge-dot level-${sign.level}`, "aria-hidden": "true" }, sign.glyph);
  const small = detail && more.length ? `${detail} · ` : detail;
  return el("div", { class: "oracle", "data-oracle": name }, el("dt", {}, dot, name), el("dd", {}, ...withUlp(says)), el("dd", { class: "detail" }, ...withUlp(small), ...spaced(more)));
}

/** @param {HTMLElement[]} parts @returns {(HTMLElement|string)[]} */
function spaced(parts) {
  return parts.flatMap((part, i) => (i ? [" · ", part] : [part]));
}

/** @param {string} words @param {() => void} act @param {string|null} [name] by which others find it */
function button(words, act, name = null) {
  const made = el("button", { type: "button", class: "link", "data-act": name }, words);
  made.addEventListener("click", act);
  return made;
}

/** @param {Verdict} verdict @param {Frame} frame @returns {string} where it differs most */
function worstWords(verdict, { node, walk }) {
  const where = cellWords(walk.document.labels, node.dims, node.shape, verdict.worst);
  return where && numberIn(verdict.maxdiff) > 0 ? ` Largest at ${where}.` : "";
}

/** @param {Frame} frame @param {string} stage */
function waiting(frame, stage) {
  if (stage === "partial" && frame.step.direction === "backward") return `${LEVELS.partial[1]}: the verdict waits until every path has arrived`;
  if (frame.node.inner) return "a step on the way: its name is used in the lines that follow, which are compared";
  return frame.node.gradient ? "gradient not yet computed: it comes on the way back" : "no gradient: whole numbers can’t be nudged";
}
