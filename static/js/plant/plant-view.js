import { button } from "../shared/dom/button.js";
import { lastStatement, plantedWords } from "../walk/plant.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { differing } from "../shared/differing.js";
import { prose } from "../shared/prose-view.js";
import { roving } from "../shared/dom/roving-focus.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./plant.js").Choices} Choices */
/** @typedef {import("../walk/types.js").Problem} Problem */
/**
 * `toggle` opens and closes the list, `plant` takes one of it, `mend` takes the mistake back, `go` leads to its line,
 * `cost` shows what it costs.
 * @typedef {{toggle: () => void, plant: (mistake: string|null) => void, mend: () => void, go: () => void,
 *   cost: () => void}} Acts
 */
/** @typedef {{open: boolean, choices: Choices|null, problem: Problem|null}} List */

/** What the switch says where nothing is planted. */
const CLOSED = "break it";

/**
 * The switch, the list of mistakes behind it, and what is said of the one that is planted.
 * @param {HTMLElement} root @param {Acts} acts
 */
export function mountPlantView(root, acts) {
  const undo = cleanups();
  const differs = differing();
  const { words, toggle, go, cost, mend, list } = partsOf(root, acts);
  const focus = roving(list, "button");
  undo.add(focus.unmount);
  /** @type {Choices|null} */
  let shown = null;

  /** @param {Choices} choices @param {string|null} planted the mistake that is planted at this very step */
  function fill(choices, planted) {
    const right = { mistake: null, label: "the right line", code: choices.code, why: "" };
    const all = [right, ...choices.mistakes];
    list.replaceChildren(...all.map((choice, i) => choiceButton(choice, planted, i === 0, acts.plant)));
    const current = list.querySelector("[aria-pressed=true]");
    focus.setCurrent(/** @type {HTMLElement} */ (current ?? list.firstElementChild));
    shown = choices;
  }

  /** @param {Frame} frame @param {boolean} here whether the mistake is planted at this very step */
  function tell({ walk }, here) {
    const { planted, nodes } = walk.document;
    root.classList.toggle("planted", planted !== null);
    words.replaceChildren(...prose(plantedWords(walk.document, here)));
    words.hidden = go.hidden = cost.hidden = mend.hidden = planted === null;
    go.hidden ||= here;
    cost.hidden ||= !nodes.some((node) => node.role === "parameter" && node.gradient);
    toggle.textContent = here ? "another mistake" : planted ? "a mistake here instead" : CLOSED;
  }

  /** @param {List} state @param {string|null} mistake */
  function drawList({ open, choices, problem }, mistake) {
    root.classList.toggle("open", open);
    toggle.setAttribute("aria-expanded", String(open));
    list.hidden = !open;
    list.setAttribute("aria-busy", String(open && !choices && !problem));
    if (!open) shown = null;
    else if (!choices) list.replaceChildren(waitWords(problem));
    else if (choices !== shown) fill(choices, mistake);
  }

  return {
    /** @param {Frame} frame @param {List} state */
    update(frame, state) {
      const { walk, step, inspecting, asking } = frame;
      const { planted } = walk.document;
      const here = planted !== null && planted.step === step.index && !inspecting;
      const offers = step.direction === "backward" && !inspecting && !asking;
      if (!differs(planted, here, offers, state.open, state.choices, state.problem)) return;
      root.hidden = planted === null && !offers;
      toggle.hidden = !offers;
      tell(frame, here);
      drawList(state, here ? (planted?.mistake ?? null) : null);
    },
    /** To the first choice, or the one that is planted. */
    focus: () =>
      /** @type {HTMLElement|null} */ (list.querySelector("button[tabindex='0']"))?.focus({ preventScroll: true }),
    leave: () => list.contains(document.activeElement) && toggle.focus({ preventScroll: true }),
    unmount() {
      undo.run();
      root.replaceChildren();
      root.hidden = true;
    },
  };
}

/** @param {HTMLElement} root @param {Acts} acts */
function partsOf(root, acts) {
  const named = (/** @type {string} */ name) => ({ class: `link ${name}`, "data-act": name });
  const words = el("p", { class: "plant-words" });
  const toggle = button(named("plant-open"), acts.toggle, CLOSED);
  toggle.title = "Break it: plant a mistake in this line (x)";
  const go = button(named("plant-go"), acts.go, "to its line");
  const cost = button(named("plant-cost"), acts.cost, "ten steps downhill");
  const mend = button(named("plant-mend"), acts.mend, "mend it");
  mend.title = "Put the right line back (Escape)";
  const list = el("div", { class: "plant-list", role: "group", "aria-label": "The line at this step" });
  root.replaceChildren(
    el("div", { class: "plant-row" }, words, el("span", { class: "plant-acts" }, go, cost, toggle, mend)),
    list,
  );
  return { words, toggle, go, cost, mend, list };
}

/**
 * @param {{mistake: string|null, label: string, code: string, why: string}} choice @param {string|null} planted
 * @param {boolean} first @param {Acts["plant"]} plant @returns {HTMLElement}
 */
function choiceButton({ mistake, label, code, why }, planted, first, plant) {
  return button(
    {
      class: "plant-choice",
      "aria-pressed": String(mistake === planted),
      "data-act": "plant-open",
      "data-mistake": mistake ?? "",
      tabindex: first ? 0 : -1,
    },
    () => plant(mistake),
    el("span", { class: "plant-label" }, ...prose(label)),
    el("code", {}, lastStatement(code)),
    ...(why ? [el("span", { class: "plant-why" }, ...prose(why))] : []),
  );
}

/** @param {Problem|null} problem why there is no list @returns {HTMLElement} */
function waitWords(problem) {
  const words = problem?.message ?? "Looking for what could go wrong here…";
  return el("p", { class: "plant-wait", role: "status" }, ...prose(words));
}
