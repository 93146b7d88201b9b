import { sliderOf } from "./sliders.js";
import { changeWords, withAmount } from "../walk/changes.js";
import { el, icon } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("../walk/changes.js").Change} Change */
/**
 * `moved` on the way; `stays` where the pointer let go, `soon` where keys may go on, `left` as the focus goes away;
 * `back` as it was before, false where it was not moved; `away`: the change is put back.
 * @typedef {{moved: (amount: number) => void, stays: () => void, soon: () => void, left: () => void,
 *   back: () => boolean, away: () => void}} Acts
 */

/** One change, as a slider with its own name. */
export class Slider {
  /** @param {Acts} acts */
  constructor(acts) {
    this.name = el("span", { class: "change-name" });
    this.range = el("input", { type: "range", class: "change-range" });
    this.away = el("button", { type: "button", class: "quiet change-away" }, icon("close"));
    // the name comes last: as it grows and shrinks, the slider stays below the pointer
    this.root = el("li", { class: "change" }, el("label", {}, this.range, this.name), this.away);
    /** @type {Change|null} */
    this.change = null;
    /** The greatest end that it has had. @type {number|undefined} */
    this.most = undefined;
    this.#listen(acts);
  }

  /** @param {Acts} acts */
  #listen(acts) {
    const { range } = this;
    let pressed = false;
    range.addEventListener("pointerdown", () => (pressed = true));
    range.addEventListener("input", () => {
      acts.moved(Number(range.value));
      if (this.change) this.#write(withAmount(this.change, Number(range.value)));
    });
    range.addEventListener("change", () => {
      if (pressed) acts.stays();
      else acts.soon();
      pressed = false;
    });
    range.addEventListener("blur", acts.left);
    range.addEventListener("keydown", (event) => {
      if (event.key === "Enter") acts.stays();
      if (event.key !== "Escape" || !acts.back()) return;
      event.preventDefault();
      event.stopPropagation();
    });
    this.away.addEventListener("click", acts.away);
  }

  /** @param {Change} change */
  #write(change) {
    this.change = change;
    this.name.replaceChildren(...prose(changeWords(change)));
    const words = this.name.textContent ?? "";
    this.range.setAttribute("aria-valuetext", words);
    this.away.setAttribute("aria-label", `Put back ${words}`);
    this.away.title = `Put back ${words}`;
  }

  /** @param {Change} change */
  set(change) {
    const slider = sliderOf(change, this.most);
    this.most = slider.greatest;
    Object.assign(this.range, { min: slider.least, max: slider.greatest, step: slider.step });
    this.range.value = String(slider.value);
    this.#write(change);
  }
}
