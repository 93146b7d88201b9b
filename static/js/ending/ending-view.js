import { badgeDot } from "../walk/badge-view.js";
import { el } from "../shared/dom/elements.js";
import { numberText } from "../shared/format.js";
import { prose } from "../shared/prose-view.js";
import { RATES, descentWords, expected, stepWords, tallies, tallyWords } from "./ending.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("./ending.js").Descent} Descent */
/** @typedef {import("./ending.js").Tally} Tally */

/**
 * What stands below the last step: how all gradients came out, and one step of gradient descent.
 * @param {Walk} walk
 * @param {{go: (index: number) => void, descend: (rate: number, steps: number) => void,
 *   sizes: (rate: number) => void}} acts to a step; to the walk on the parameters after so many steps of gradient
 *   descent; to the table of all sizes
 * @param {{readonly descent: Descent|null, readonly coming: boolean}} loader of what such a step does
 */
export function makeEnding(walk, acts, loader) {
  const all = tallies(walk);
  /** @type {string|null} the level whose gradients are listed */
  let open = null;
  let chosen = 1;

  const counts = el("p", { class: "tally" });
  const names = el("p", { class: "tally-names", hidden: true });
  const rates = el(
    "fieldset",
    { class: "rates" },
    el(
      "legend",
      {},
      el("span", { class: "where-room" }, "One step downhill, "),
      el("span", { class: "learning" }, "learning "),
      "rate",
    ),
  );
  const words = el("p", { class: "descent-words", role: "status" });
  const move = el("p", { class: "descent-step" });
  const on = el("p", { class: "descent-on" }, "Walk again after ", onButton(1), " or ", onButton(10), ".");
  const downhill = el("div", { class: "downhill", hidden: true }, rates, words, move, on);
  const root = el("section", { class: "ending", "aria-label": "The end" }, counts, names, downhill);

  const sizes = el("button", { type: "button", class: "link", "data-act": "sizes" }, "how large they are");
  sizes.addEventListener("click", () => acts.sizes(RATES[chosen]));
  counts.append(tallyWords(all), ...all.flatMap((tally) => [" ", tallyButton(tally)]), " ", sizes);
  rates.append(...RATES.map(rateChoice));

  /** @param {Tally} tally */
  function tallyButton({ level, count, word }) {
    const words = `${count} ${word}`;
    const button = el(
      "button",
      {
        type: "button",
        class: "tally-count",
        "aria-expanded": "false",
        "data-level": level,
        "aria-label": words,
        title: words,
      },
      badgeDot(level),
      `${count} `,
      el("span", { class: "where-room" }, word),
    );
    button.addEventListener("click", () => unfold(open === level ? null : level));
    return button;
  }

  /** @param {string|null} level */
  function unfold(level) {
    open = level;
    for (const button of counts.querySelectorAll("button"))
      button.setAttribute("aria-expanded", String(button.dataset.level === level));
    names.hidden = level === null;
    const steps = all.find((tally) => tally.level === level)?.steps ?? [];
    names.replaceChildren(...steps.flatMap(({ variable, index }) => [stepButton(variable, index), " "]));
  }

  /** @param {number} steps */
  function onButton(steps) {
    const button = el("button", { type: "button", class: "link" }, steps === 1 ? "this step" : `${steps} of them`);
    button.addEventListener("click", () => acts.descend(RATES[chosen], steps));
    return button;
  }

  /** @param {string} variable @param {number} index */
  function stepButton(variable, index) {
    const button = el("button", { type: "button", class: "tally-step", title: `to step ${index + 1}` }, variable);
    button.addEventListener("click", () => acts.go(index));
    return button;
  }

  /** @param {number} rate @param {number} index */
  function rateChoice(rate, index) {
    const input = el("input", { type: "radio", name: "rate", value: rate, checked: index === chosen });
    input.addEventListener("change", () => {
      chosen = index;
      tell();
    });
    return el("label", {}, input, numberText(rate));
  }

  function tell() {
    const { descent, coming } = loader;
    downhill.hidden = descent === null && !coming;
    downhill.classList.toggle("coming", coming);
    if (downhill.hidden) return;
    const known = descent ?? expected(walk);
    words.replaceChildren(...prose(descentWords(known, chosen, walk.document.loss.name)));
    move.replaceChildren(...prose(stepWords(known, RATES[chosen])));
  }

  /** @param {Frame} frame @returns {HTMLElement[]} */
  return ({ step, inspecting, asking }) => {
    if (inspecting || asking || step.index !== walk.steps.length - 1 || !all.length) return [];
    tell();
    return [root];
  };
}
