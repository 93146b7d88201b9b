import { badgeDot } from "../walk/badge-view.js";
import { el } from "../shared/dom/elements.js";
import { numberText } from "../shared/format.js";
import { prose } from "../shared/prose-view.js";
import { canTrain } from "../walk/training-step.js";
import { RATE, RATES } from "../walk/rates.js";
import { descentWords, expected, stepWords, tallies, tallyWords } from "./ending.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("./ending.js").Descent} Descent */
/** @typedef {import("./ending.js").Tally} Tally */

/**
 * `go` to a step; `goOn`: a run of training goes on from here; `descend` to the walk on the parameters after so many
 * steps of gradient descent; `sizes` to the table of all sizes.
 * @typedef {{go: (index: number) => void, descend: (rate: number, steps: number) => void,
 *   goOn: (rate: number) => void,
 *   sizes: (rate: number) => void}} Acts
 */
/** @typedef {{readonly descent: Descent|null, readonly coming: boolean}} Loader of what such a step does */

/**
 * What stands below the last step: how all gradients came out, and one step of gradient descent.
 * @param {Walk} walk @param {Acts} acts @param {Loader} loader @returns {(frame: Frame) => HTMLElement[]}
 */
export function makeEnding(walk, acts, loader) {
  const all = tallies(walk);
  const rates = new Rates(walk, acts, loader);
  const root = el("section", { class: "ending", "aria-label": "The end" }, ...tallyParts(all, acts, rates), rates.root);
  return ({ step, inspecting, asking }) => {
    if (inspecting || asking || step.index !== walk.steps.length - 1 || !all.length) return [];
    rates.tell();
    return [root];
  };
}

/**
 * @param {Tally[]} all @param {Acts} acts @param {Rates} rates
 * @returns {HTMLElement[]} how many came out in each way, and below, the gradients of the way that is open
 */
function tallyParts(all, acts, rates) {
  const sizes = el("button", { type: "button", class: "link", "data-act": "sizes" }, "how large they are");
  sizes.addEventListener("click", () => acts.sizes(rates.chosen));
  const buttons = all.map(tallyButton);
  const names = el("p", { class: "tally-names", hidden: true });
  buttons.forEach((button, i) =>
    button.addEventListener("click", () => {
      const opens = button.getAttribute("aria-expanded") === "false";
      for (const one of buttons) one.setAttribute("aria-expanded", String(opens && one === button));
      names.hidden = !opens;
      names.replaceChildren(...(opens ? all[i].steps.flatMap((step) => [stepButton(step, acts), " "]) : []));
    }),
  );
  const counts = [tallyWords(all), ...buttons.flatMap((button) => [" ", button]), " ", sizes];
  return [el("p", { class: "tally" }, ...counts), names];
}

/** @param {Tally} tally */
function tallyButton({ level, count, word }) {
  const words = `${count} ${word}`;
  const props = { class: "tally-count", "data-level": level, "aria-label": words, title: words };
  return el(
    "button",
    { type: "button", "aria-expanded": "false", ...props },
    badgeDot(level),
    `${count} `,
    el("span", { class: "where-room" }, word),
  );
}

/** @param {Tally["steps"][number]} step @param {Acts} acts */
function stepButton({ variable, index }, acts) {
  const button = el("button", { type: "button", class: "tally-step", title: `to step ${index + 1}` }, variable);
  button.addEventListener("click", () => acts.go(index));
  return button;
}

/** The learning rates that can be chosen, and what one step does with the chosen one. */
class Rates {
  /** @param {Walk} walk @param {Acts} acts @param {Loader} loader */
  constructor(walk, acts, loader) {
    this.walk = walk;
    this.acts = acts;
    this.loader = loader;
    this.at = RATES.indexOf(RATE);
    this.words = el("p", { class: "descent-words", role: "status" });
    this.step = el("p", { class: "descent-step" });
    const [once, often] = [this.onButton("this step", 1), this.onButton("10 of them", 10)];
    const on = el("p", { class: "descent-on" }, ...this.further(), "Walk again after ", once, " or ", often, ".");
    this.root = el("div", { class: "downhill", hidden: true }, this.choices(), this.words, on, this.step);
  }

  /** @returns {number} */
  get chosen() {
    return RATES[this.at];
  }

  /** @returns {(HTMLElement|string)[]} the way into a run, where there can be one */
  further() {
    if (!canTrain(this.walk)) return [];
    const button = el(
      "button",
      { type: "button", class: "button strong small", "data-computes": true },
      "Go on downhill",
    );
    button.addEventListener("click", () => this.acts.goOn(this.chosen));
    return [button, " "];
  }

  choices() {
    const legend = el("legend", {}, el("span", { class: "where-room" }, "One step downhill, "));
    legend.append(el("span", { class: "learning" }, "learning "), "rate");
    return el("fieldset", { class: "rates" }, legend, ...RATES.map((rate, i) => this.choice(rate, i)));
  }

  /** @param {number} rate @param {number} index */
  choice(rate, index) {
    const input = el("input", { type: "radio", name: "rate", value: rate, checked: index === this.at });
    input.addEventListener("change", () => {
      this.at = index;
      this.tell();
    });
    return el("label", {}, input, numberText(rate));
  }

  /** @param {string} text @param {number} steps */
  onButton(text, steps) {
    const button = el("button", { type: "button", class: "link" }, text);
    button.addEventListener("click", () => this.acts.descend(this.chosen, steps));
    return button;
  }

  tell() {
    const { descent, coming } = this.loader;
    this.root.hidden = descent === null && !coming;
    this.root.classList.toggle("coming", coming);
    if (this.root.hidden) return;
    const known = descent ?? expected(this.walk);
    this.words.replaceChildren(...prose(descentWords(known, this.at, this.walk.document.loss.name)));
    this.step.replaceChildren(...prose(stepWords(known, this.chosen)));
  }
}
