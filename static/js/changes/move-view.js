import { moveWords, partingWords } from "./curve.js";
import { curveKey } from "./grip-picture-view.js";
import { mountGrip } from "./grip-view.js";
import { changedSwitch } from "./changed-switch-view.js";
import { numberIn } from "../shared/json-number.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("./curve.js").Curve} Curve */
/**
 * `moved` hears of every value on the way, `kept` that the latest stays, `back` that it shall be as it was, `grasped`
 * of the pointer that moves it; `delta` switches between what there is and what has changed.
 * @typedef {{moved: (value: number) => void, kept: () => void, back: () => void,
 *   grasped: (pointer: number|null) => void, delta: () => void}} Acts
 */

/**
 * One number in the hand: drag it, press arrow keys, turn the wheel or type; the loss along it as a curve, its gradient
 * as the tangent.
 */
class Move {
  /** @param {Acts} acts */
  constructor(acts) {
    this.undo = cleanups();
    /** @type {{curve: Curve, name: string, lossName: string}|null} */
    this.held = null;
    this.grip = mountGrip({
      moved: (value) => {
        this.#draw(null);
        acts.moved(value);
      },
      stays: acts.kept,
      away: acts.back,
      grasped: acts.grasped,
    });
    this.parts = partsOf(this.grip.root);
    this.root = this.parts.root;
    const { delta, typed } = this.parts;
    const take = () => this.#take();
    this.undo.on(delta, "click", acts.delta);
    this.undo.on(typed, "keydown", (event) => {
      if (event.key === "Enter") this.grip.alone(event, take);
      if (event.key === "Escape") this.grip.alone(event, acts.back);
    });
    this.undo.on(typed, "change", take);
    this.undo.add(this.grip.unmount);
  }

  #take() {
    const { typed } = this.parts;
    const value = Number(typed.value.trim().replace("−", "-").replace(",", "."));
    if (typed.value.trim() === "" || !Number.isFinite(value)) return typed.setAttribute("aria-invalid", "true");
    typed.removeAttribute("aria-invalid");
    if (this.held && value !== this.value) this.grip.move(value, true);
  }

  /**
   * @param {number|null} loss that the value makes; null while it is computed
   * @param {number|null} [slope] of the loss there, where that is told
   */
  #draw(loss, slope = null) {
    const { value, held } = this;
    if (!held || value === null) return;
    const { typed, words } = this.parts;
    if (document.activeElement !== typed) typed.value = String(Number(value.toPrecision(7)));
    if (loss !== null || value === numberIn(held.curve.value))
      words.replaceChildren(...prose(moveWords(held.curve, held.name, value, loss, held.lossName, slope)));
  }

  /** @returns {number|null} where the number is now */
  get value() {
    return this.grip.value;
  }

  /** @param {string} name of the number that is taken, before the loss along it is known */
  wait(name) {
    this.held = null;
    this.grip.wait(name);
    this.parts.words.textContent = "";
    this.parts.typed.readOnly = true; // what is typed before its number is here would be lost
  }

  /**
   * @param {Curve} curve @param {{name: string, loss: string}} names of the number and of the loss
   * @param {number} value where it is now @param {number} loss
   */
  hold(curve, { name, loss: lossName }, value, loss) {
    const { key, parted, typed } = this.parts;
    this.held = { curve, name, lossName };
    key.name(lossName);
    typed.readOnly = false;
    this.grip.hold(curve, name, value);
    this.grip.place(loss);
    const parting = partingWords(curve, lossName);
    parted.replaceChildren(...prose(parting));
    parted.hidden = !parting;
    typed.removeAttribute("aria-invalid");
    this.#draw(loss);
  }

  /**
   * @param {number} loss @param {number} value what it belongs to
   * @param {number|null} [slope] of the loss there: the tangent goes along
   */
  arrived(loss, value, slope = null) {
    if (slope !== null) this.grip.touch(value, loss, slope);
    if (!this.held || this.value !== value) return;
    this.grip.place(loss);
    this.#draw(loss, slope);
  }

  /** @param {number} value that it was moved to @param {number|null} pointer that still moves it */
  resume(value, pointer) {
    if (pointer === null) return this.grip.slowly(value);
    this.grip.seize(pointer);
    this.grip.move(value);
  }

  /** @param {boolean} on */
  showDelta(on) {
    this.parts.delta.setAttribute("aria-checked", String(on));
  }

  /** @param {HTMLElement} picture of what comes of it, below the words */
  beside(picture) {
    this.parts.words.after(picture);
  }

  focus = () => this.grip.focus();
  unmount = () => this.undo.run();
}

/** @param {Acts} acts */
export const mountMove = (acts) => new Move(acts);

const HELP = "Drag it, or use ← →: Shift for more, Alt for less. Escape puts it back.";

/** @param {HTMLElement} grip */
function partsOf(grip) {
  const typed = el("input", { class: "move-number", inputmode: "decimal", autocomplete: "off", "aria-label": "Value" });
  const words = el("p", { class: "move-words", role: "status" });
  const key = curveKey();
  const parted = el("p", { class: "move-parting" });
  const delta = changedSwitch({ "data-act": "delta" });
  const top = el("div", { class: "move-top" }, typed, delta);
  const help = el("p", { class: "move-help" }, HELP);
  const side = el("div", { class: "move-side" }, top, words, parted, key.root, help);
  return { root: el("div", { class: "move" }, grip, side), typed, words, key, parted, delta };
}
