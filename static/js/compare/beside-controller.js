import { resting } from "../figures/block.js";
import { makeStepsLoader } from "../page/steps-loader.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { watchWidth } from "../shared/dom/watch-width.js";
import { prose } from "../shared/prose-view.js";
import { spoken } from "../shared/prose.js";
import { likenessWords } from "./likeness.js";
import { mountBothListings } from "./listing-view.js";
import { differingFrom, firstApart, momentsOf } from "./moments.js";
import { halvesAt, mountPair } from "./pair-view.js";
import { mountStepBeside } from "./step-beside-controller.js";
/** @typedef {import("./pair-loader.js").Pair} Pair */
/** @typedef {import("./moments.js").Moment} Moment */
/** @typedef {import("../figures/figure-controller.js").Look} Look */
/**
 * How the sides are called: in a word or two, and where something is.
 * @typedef {{short: string[], phrase: import("./likeness.js").Labels}} Labels
 */
/**
 * `moved` hears which moment is shown, once it is; `failed` of what a step shows and did not come.
 * @typedef {{moved: (at: number) => void, failed: (error: import("../shared/api.js").ApiError) => void}} Hears
 */

/**
 * Two walks in step: both programs, the tensors that a moment is about, how each line makes its own, and in a sentence
 * what they have in common.
 * @param {HTMLElement} root @param {Pair} pair @param {Labels} labels @param {Look} look @param {Hears} hears
 */
export function mountBeside(root, pair, labels, look, hears) {
  return new Beside(root, pair, labels, look, hears);
}

class Beside {
  /**
   * @param {HTMLElement} root @param {Pair} pair @param {Labels} labels @param {Look} look @param {Hears} hears
   */
  constructor(root, pair, labels, look, hears) {
    this.undo = cleanups();
    this.walks = pair.walks;
    this.labels = labels;
    this.look = look;
    this.hears = hears;
    this.moments = momentsOf(pair.walks, pair.comparison);
    this.begin = firstApart(this.moments);
    this.at = -1;
    this.parts = parts(root);
    this.list = this.undo.part(mountBothListings(this.parts.list, this.moments, labels.short, (at) => this.go(at)));
    this.width = this.undo.part(watchWidth(this.parts.pair, () => this.draw()));
    this.pair = this.undo.part(mountPair(this.parts.pair));
    this.loaders = pair.walks.map((walk) =>
      this.undo.part(makeStepsLoader(walk, { arrived: () => this.draw(), failed: hears.failed })),
    );
    this.sides = pair.walks.map((walk, i) =>
      this.undo.part(mountStepBeside(this.parts.steps[i], walk, labels.short[i], look)),
    );
  }

  /** @returns {Moment} */
  get moment() {
    return this.moments[this.at];
  }

  /** @param {number} at @returns {boolean} whether it is another moment */
  go(at) {
    const next = Math.max(0, Math.min(this.moments.length - 1, at));
    if (next === this.at) return false;
    this.at = next;
    this.hears.moved(next);
    this.draw();
    return true;
  }

  next = () => this.go(this.at + 1);
  back = () => this.go(this.at - 1);
  first = () => this.go(0);
  last = () => this.go(this.moments.length - 1);

  /** To the next moment that differs, from the last one back to the first. */
  difference = () => this.go(differingFrom(this.moments, this.at, 1) ?? this.begin);

  /** To the first moment of a part. @param {Moment["part"]} part */
  part(part) {
    const found = this.moments.findIndex((moment) => moment.part === part);
    return found >= 0 && this.go(found);
  }

  /** @returns {string} what the moment says, for those who hear it */
  get words() {
    const { likeness, variable, part } = this.moment;
    const name = part === "backward" ? `d${variable}` : variable;
    return likenessWords(likeness, name, this.labels.phrase);
  }

  /** Both sides together, once what they show is there. */
  draw() {
    if (this.at < 0) return;
    const { steps } = this.moment;
    const there = this.loaders.map((loader, i) => loader.look(this.stateAt(steps[i])));
    this.parts.root.setAttribute("aria-busy", String(there.includes(false)));
    this.list.update(this.at);
    if (there.includes(false)) return;
    const { part, variable } = this.moment;
    this.parts.root.dataset.part = part;
    this.parts.words.replaceChildren(...prose(this.words || this.partial()));
    const halves = halvesAt(this.walks, this.moment, this.labels.short);
    const { theme, projector } = this.look;
    this.pair.update({
      halves,
      first: this.moment.likeness?.first ?? null,
      width: this.width.now,
      theme: theme(),
      projector: projector(),
    });
    this.sides.forEach((side, i) => side.update(steps[i]));
    this.look.say(`${part === "backward" ? `gradient of ${variable}` : variable}. ${spoken(this.words)}`);
  }

  /** @returns {string} what is said of a gradient on its way */
  partial() {
    return this.moment.steps.includes(null)
      ? `\`${this.moment.code.find(Boolean)}\` stands on one side only.`
      : `One path of several: \`d${this.moment.variable}\` is whole at a later line.`;
  }

  /** @param {number|null} step */
  stateAt(step) {
    return { ...resting(this.look.theme(), this.look.projector()), step: step ?? 0 };
  }

  unmount = () => {
    this.undo.run();
    this.parts.root.remove();
  };
}

/** @param {HTMLElement} root */
function parts(root) {
  const list = el("section", { class: "both", "aria-label": "Both programs" });
  const words = el("p", { class: "two-words" });
  const pair = el("div", { class: "tensor-pair" });
  const steps = [el("section", { class: "step-beside" }), el("section", { class: "step-beside" })];
  const made = el(
    "div",
    { class: "two-walks" },
    list,
    el("div", { class: "two-stage" }, words, pair, el("div", { class: "steps-beside" }, ...steps)),
  );
  root.replaceChildren(made);
  return { root: made, list, words, pair, steps };
}
