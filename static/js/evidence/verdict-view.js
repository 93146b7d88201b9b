import { isWorthAsking } from "../shared/asking-again.js";
import { button } from "../shared/dom/button.js";
import { cellWords } from "../shared/axis-labels.js";
import { numberIn } from "../shared/json-number.js";
import { apartText, autogradSays, differencesSay, notYet, originText, ownSays } from "./oracles.js";
import { powerOfTen } from "../shared/format.js";
import { enlargement } from "../walk/picture-peak.js";
import { LEVELS } from "../walk/verdict-levels.js";
import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../differences/differences.js").Differences} Differences */
/** @typedef {import("./oracles.js").Opinion} Opinion */
/** @typedef {import("../walk/types.js").Origin} Origin */
/** @typedef {import("../walk/types.js").Own} Own */
/** @typedef {import("../walk/types.js").Verdict} Verdict */
/**
 * `again` asks central differences about every gradient once more, `show` goes to a number, `enlarge` draws a node's
 * rounding as if it were more.
 * @typedef {{exact: () => void, nudge: () => void, again: () => void, differences: Differences,
 *   show: (origin: Origin) => void, enlarge: (name: string|null) => void}} Acts
 */

/**
 * The oracles side by side, the manual gradient, autograd's and central differences, with what each says; and of a
 * model that was recorded as it ran, its own backward pass.
 * @param {Acts} acts
 */
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
    if (step.direction === "backward" && node.gradient && stage === "complete")
      return root.replaceChildren(...judged(node.gradient, frame));
    const words = waiting(frame, stage);
    const waits = words ? [el("p", { class: "waits" }, ...prose(words))] : [];
    root.replaceChildren(...waits, ...notNumbers(node.not_finite, acts));
  }

  /** @param {NonNullable<Frame["node"]["gradient"]>} gradient @param {Frame} frame @returns {HTMLElement[]} */
  function judged({ verdict, own, not_finite: origin }, frame) {
    const { exact, dtype } = frame.walk.document;
    const manual = oracle("manual", null, exact ? "rounded like PyTorch" : "these lines", `run in ${dtype}`);
    const others = [
      autograd(autogradSays(verdict), verdict, frame),
      ...yours(own),
      central(frame, verdict.level, acts),
    ];
    return [
      el("dl", { class: "oracles" }, manual, ...others),
      ...(open && verdict.level !== "exact" ? [reason(verdict, frame, acts.exact)] : []),
      ...notNumbers(origin ?? frame.node.not_finite, acts),
    ];
  }

  /** @param {Opinion} opinion @param {Verdict} verdict @param {Frame} frame */
  function autograd({ level, glyph, says, detail }, verdict, frame) {
    if (verdict.level === "exact") return oracle("autograd", { level, glyph }, says, detail);
    const toggle = link(WHY[verdict.level] ?? "why not exact?", toggleReason, "why");
    toggle.setAttribute("aria-expanded", String(open));
    return oracle("autograd", { level, glyph }, says, detail, toggle, ...enlarging(frame, enlarge));
  }

  function toggleReason() {
    open = !open;
    if (shown) update(shown);
    focus("why");
    root.querySelector(".why")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {string|null} name */
  function enlarge(name) {
    acts.enlarge(name);
    focus("enlarge");
  }

  /** @param {string} act */
  function focus(act) {
    /** @type {HTMLElement|null} */ (root.querySelector(`[data-act=${act}]`))?.focus();
  }

  return { root, update, unmount: () => root.remove() };
}

/** @param {Origin|null} origin where the first number arose that is none @param {Acts} acts @returns {HTMLElement[]} */
function notNumbers(origin, acts) {
  if (!origin) return [];
  const words = `${origin.number === "NaN" ? "Not a number" : "Not finite"}: ${originText(origin)}.`;
  const show = link("show", () => acts.show(origin));
  return [el("p", { class: "not-finite" }, ...prose(words), " ", show)];
}

/**
 * @param {Frame} frame @param {(name: string|null) => void} enlarge
 * @returns {HTMLElement[]} the way to see what rounding left of a true zero, and back
 */
function enlarging({ node, walk, state }, enlarge) {
  const power = enlargement(walk, node.name);
  if (power === null) return [];
  const on = state.enlarged === node.name;
  const words = on ? "drawn as what it is" : `rounding, enlarged ${powerOfTen(power)}×`;
  const made = link(words, () => enlarge(on ? null : node.name), "enlarge");
  made.setAttribute("aria-pressed", String(on));
  return [made];
}

/** @param {Own|undefined} own @returns {HTMLElement[]} a recorded model's own backward pass, where there is one */
function yours(own) {
  if (!own) return [];
  const { says, detail, ...sign } = ownSays(own);
  return [oracle("your model", sign, says, detail)];
}

/** @param {Frame} frame @param {string} level @param {Acts} acts */
function central({ node }, level, { differences, nudge, again }) {
  const finding = differences.findings.get(node.name);
  const { says, detail, ...sign } = finding ? differencesSay(finding, level) : notYet(differences, node.name);
  const more = [link("nudge it", nudge, "nudge")];
  const { stage, problem } = differences;
  if (!finding && stage === "failed" && problem?.code !== "loss-not-finite" && (!problem || isWorthAsking(problem)))
    more.unshift(link("ask again", again));
  const spoken = oracle("central differences", sign, says, detail, ...more);
  spoken.setAttribute("aria-busy", String(!finding && differences.stage === "asking"));
  return spoken;
}

/** @param {Verdict} verdict @param {Frame} frame @param {() => void} exact walks with the other rules */
function reason(verdict, frame, exact) {
  const change = link(frame.state.exact ? "back to the readable rules" : "round like PyTorch", exact);
  const words = [verdict.because, verdict.level === "zero" ? "" : apartText(verdict), worstWords(verdict, frame)];
  const helps = !["exact", "zero", "not-finite"].includes(verdict.level);
  return el("p", { class: "why" }, el("span", {}, ...prose(words.filter(Boolean).join(" "))), helps ? change : null);
}

/**
 * What the button asks, by the level; of a gradient that only rounding keeps from being equal, why not.
 * @type {Record<string, string>}
 */
const WHY = { zero: "why zero?", "not-finite": "why?", wrong: "why wrong?", shape: "why wrong?" };

/**
 * @param {string} name @param {{level: string, glyph: string}|null} sign @param {string} says @param {string} detail
 * @param {...HTMLElement} more
 */
function oracle(name, sign, says, detail, ...more) {
  const dot = sign && el("span", { class: `badge-dot level-${sign.level}`, "aria-hidden": "true" }, sign.glyph);
  const small = detail && more.length ? `${detail} · ` : detail;
  return el(
    "div",
    { class: "oracle", "data-oracle": name },
    el("dt", {}, dot, name),
    el("dd", {}, says),
    el("dd", { class: "detail" }, ...prose(small), ...spaced(more)),
  );
}

/** @param {HTMLElement[]} parts @returns {(HTMLElement|string)[]} */
function spaced(parts) {
  return parts.flatMap((part, i) => (i ? [" · ", part] : [part]));
}

/** @param {string} words @param {() => void} act @param {string|null} [name] by which others find it */
function link(words, act, name = null) {
  return button({ class: "link", "data-act": name }, act, words);
}

/** @param {Verdict} verdict @param {Frame} frame @returns {string} where it differs most */
function worstWords(verdict, { node, walk }) {
  if (verdict.level === "zero") return "";
  const where = cellWords(walk.document.labels, node.dims, node.shape, verdict.worst);
  return where && numberIn(verdict.maxdiff) > 0 ? `Largest at ${where}.` : "";
}

/** @param {Frame} frame @param {string} stage @returns {string} why nothing is judged here */
function waiting(frame, stage) {
  const { node, step } = frame;
  if (stage === "partial" && step.direction === "backward") return `${LEVELS.partial[1]}: ${nextPath(frame)}`;
  if (node.inner) return "a step on the way: its name is used in the lines that follow, which are compared";
  if (node.gradient && step.direction === "forward") return "";
  return node.gradient ? "gradient not yet computed: it comes on the way back" : (node.no_gradient?.text ?? "");
}

/** @param {Frame} frame @returns {string} "waits for the path through counts_sum (step 27)" */
function nextPath({ walk, node, known }) {
  const next = (walk.backwardIndex.get(node.name) ?? []).find((index) => index > known);
  const step = next === undefined ? null : walk.steps[next];
  if (!step || step.direction !== "backward" || !step.through) return "the verdict waits until every path has arrived";
  return `waits for the path through \`${walk.node(step.through).variable}\` (step ${step.index + 1})`;
}
