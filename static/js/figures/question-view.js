import { cleanups, el } from "../shared/dom/elements.js";
import { outcomeWords } from "./question.js";
/** @typedef {import("./drawing.js").Deed} Deed */
/** @typedef {{key: string, words: () => (Node|string)[]}} Answer what can be chosen; `key` names it in a deed */
/** @typedef {{choose: (key: string) => void, show: () => void, again: () => void}} Acts */

/**
 * Answers to choose from: by pointer, by their numbers, or with the keys of any button.
 * @param {string} label of the question, for a voice @param {Acts} acts
 * @param {Document|null} page on which numbers choose wherever the focus is: where nothing else is asked
 */
export function mountQuestion(label, acts, page = null) {
  const undo = cleanups();
  const list = el("ol", { class: "choices" });
  const says = el("div", { class: "answer-says", role: "status" });
  const show = tool("show the answer", "show");
  const again = tool("try it again", "again");
  const outcome = el("span", { class: "outcome" });
  const root = el(
    "div",
    { class: "asked", role: "group", "aria-label": label },
    list,
    says,
    el("p", { class: "question-tools" }, outcome, show, again),
  );
  undo.on(show, "click", acts.show);
  undo.on(again, "click", () => {
    acts.again();
    list.querySelector("button")?.focus();
  });
  undo.on(list, "click", ({ target }) => {
    const button = /** @type {Element} */ (target).closest("button");
    if (button && button.getAttribute("aria-disabled") !== "true") acts.choose(button.dataset.answer ?? "");
  });
  undo.on(page ?? root, "keydown", (/** @type {any} */ event) => {
    const at = Number(event.key);
    if (!Number.isInteger(at) || at < 1 || event.target.matches("input, textarea")) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return; // a browser's own key for its tabs
    const button = list.querySelectorAll("button")[at - 1];
    if (!button) return;
    event.preventDefault();
    event.stopPropagation();
    button.click();
    list.querySelectorAll("button")[at - 1]?.focus(); // drawn anew
  });

  return {
    root,
    /**
     * @param {Answer[]} answers @param {string} right the key of the right one @param {Deed} deed
     * @param {Node[]} words what is said of the answer that was given
     */
    update(answers, right, deed, words) {
      const focused = /** @type {HTMLElement|null} */ (document.activeElement)?.closest(".choices button");
      const key = focused && list.contains(focused) ? /** @type {HTMLElement} */ (focused).dataset.answer : null;
      const over = deed.outcome !== "";
      const items = answers.map((answer, i) => choice(answer, i, stateOf(answer, right, deed), over));
      list.replaceChildren(...items);
      if (key !== null) [...list.querySelectorAll("button")].find((one) => one.dataset.answer === key)?.focus();
      says.replaceChildren(...words);
      says.className = `answer-says${over ? " right" : deed.tries.length ? " not" : ""}`;
      outcome.textContent = outcomeWords(deed);
      show.hidden = over || !deed.tries.length;
      again.hidden = !over;
      root.dataset.outcome = deed.outcome;
    },
    unmount: undo.run,
  };
}

/** @param {Answer} answer @param {string} right @param {Deed} deed */
function stateOf({ key }, right, deed) {
  if (deed.outcome && key === right) return "right";
  return deed.tries.includes(key) ? "not" : "";
}

const GLYPHS = /** @type {Record<string, string>} */ ({ right: "✓", not: "✕", "": "" });
const SPOKEN = /** @type {Record<string, string>} */ ({ right: ", right", not: ", not this one", "": "" });

/** @param {Answer} answer @param {number} i @param {string} state @param {boolean} over */
function choice({ key, words }, i, state, over) {
  const button = el(
    "button",
    {
      type: "button",
      class: "choice",
      "data-answer": key,
      "data-state": state,
      "aria-disabled": String(over || state !== ""),
    },
    el("kbd", { "aria-hidden": "true" }, GLYPHS[state] || String(i + 1)),
    el("span", {}, ...words(), el("span", { class: "unseen" }, SPOKEN[state])),
  );
  return el("li", {}, button);
}

/** @param {string} words @param {string} act */
function tool(words, act) {
  return el("button", { type: "button", class: "link", "data-act": act, hidden: true }, words);
}
