import { cellWords } from "../shared/axis-labels.js";
import { numberIn } from "../shared/json-number.js";
import { apartText, autogradSays, differencesSay, notYet, originText } from "./oracles.js";
import { powerOfTen } from "../shared/format.js";
import { enlargement } from "../walk/picture-peak.js";
import { LEVELS } from "../walk/verdict-levels.js";
import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../differences/differences.js").Differences} Differences */
/** @typedef {import("./oracles.js").Opinion} Opinion */
/** @typedef {import("../walk/types.js").Origin} Origin */
/** @typedef {import("../walk/types.js").Verdict} Verdict */
/**
 * `again` asks central differences about every gradient once more, `show` goes to a number, `enlarge` draws a node's
 * rounding as if it were more.
 * @typedef {{exact: () => void, nudge: () => void, again: () => void, differences: Differences,
 *   show: (origin: Origin) => void, enlarge: (name: string|null) => void}} Acts
 */

/**
 * Three oracles side by side, the manual gradient, autograd's and central differences, with what each says.
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
    if (step.direction === "forward" || !node.gradient || stage !== "complete") {
      const words = waiting(frame, stage);
      return root.replaceChildren(
        ...(words ? [el("p", { class: "waits" }, ...prose(words))] : []),
        ...notNumbers(node.not_finite),
      );
    }
    const { verdict } = node.gradient;
    root.replaceChildren(
      el(
        "dl",
        { class: "oracles" },
        oracle(
          "manual",
          null,
          walk.document.exact ? "rounded like PyTorch" : "these lines",
          `run in ${walk.document.dtype}`,
        ),
        autograd(autogradSays(verdict), verdict, frame),
        central(frame, verdict.level),
      ),
      ...(open && verdict.level !== "exact" ? [reason(verdict, frame)] : []),
      ...notNumbers(node.gradient.not_finite ?? node.not_finite),
    );
  }

  /** @param {Origin|null} origin where the first number arose that is none @returns {HTMLElement[]} */
  function notNumbers(origin) {
    if (!origin) return [];
    const words = [...prose(`${origin.number === "NaN" ? "Not a number" : "Not finite"}: ${originText(origin)}.`), " "];
    return [
      el(
        "p",
        { class: "not-finite" },
        ...words,
        button("show", () => acts.show(origin)),
      ),
    ];
  }

  /** @param {Opinion} opinion @param {Verdict} verdict @param {Frame} frame */
  function autograd({ level, glyph, says, detail }, verdict, frame) {
    if (verdict.level === "exact") return oracle("autograd", { level, glyph }, says, detail);
    const toggle = button(
      WHY[verdict.level] ?? "why not exact?",
      () => {
        open = !open;
        if (shown) update(shown);
        /** @type {HTMLElement|null} */ (root.querySelector("[data-act=why]"))?.focus();
        root.querySelector(".why")?.scrollIntoView({ block: "nearest" });
      },
      "why",
    );
    toggle.setAttribute("aria-expanded", String(open));
    return oracle("autograd", { level, glyph }, says, detail, toggle, ...enlarging(frame));
  }

  /** @param {Frame} frame @returns {HTMLElement[]} the way to see what rounding left of a true zero, and back */
  function enlarging({ node, walk, state }) {
    const power = enlargement(walk, node.name);
    if (power === null) return [];
    const on = state.enlarged === node.name;
    const made = button(
      on ? "drawn as what it is" : `rounding, enlarged ${powerOfTen(power)}×`,
      () => {
        acts.enlarge(on ? null : node.name);
        /** @type {HTMLElement|null} */ (root.querySelector("[data-act=enlarge]"))?.focus();
      },
      "enlarge",
    );
    made.setAttribute("aria-pressed", String(on));
    return [made];
  }

  /** @param {Frame} frame @param {string} level */
  function central({ node }, level) {
    const { differences } = acts;
    const finding = differences.findings.get(node.name);
    const { says, detail, ...sign } = finding ? differencesSay(finding, level) : notYet(differences, node.name);
    const more = [button("nudge it", acts.nudge, "nudge")];
    if (!finding && differences.stage === "failed" && differences.problem?.code !== "loss-not-finite")
      more.unshift(button("ask again", acts.again));
    const spoken = oracle("central differences", sign, says, detail, ...more);
    spoken.setAttribute("aria-busy", String(!finding && differences.stage === "asking"));
    return spoken;
  }

  /** @param {Verdict} verdict @param {Frame} frame */
  function reason(verdict, frame) {
    const change = button(frame.state.exact ? "back to the readable rules" : "round like PyTorch", acts.exact);
    const words = [verdict.because, verdict.level === "zero" ? "" : apartText(verdict), worstWords(verdict, frame)]
      .filter(Boolean)
      .join(" ");
    return el(
      "p",
      { class: "why" },
      el("span", {}, ...prose(words)),
      ["exact", "zero", "not-finite"].includes(verdict.level) ? null : change,
    );
  }

  return { root, update, unmount: () => root.remove() };
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
function button(words, act, name = null) {
  const made = el("button", { type: "button", class: "link", "data-act": name }, words);
  made.addEventListener("click", act);
  return made;
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
