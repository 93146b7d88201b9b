import { moveWords, partingWords } from "./curve.js";
import { curveKey, mountGrip } from "./grip-view.js";
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
 * @param {Acts} acts
 */
export function mountMove(acts) {
  const undo = cleanups();
  /** @type {{curve: Curve, name: string, lossName: string}|null} */
  let held = null;
  const grip = mountGrip({
    moved(value) {
      draw(null);
      acts.moved(value);
    },
    stays: acts.kept,
    away: acts.back,
    grasped: acts.grasped,
  });
  const typed = el("input", { class: "move-number", inputmode: "decimal", autocomplete: "off", "aria-label": "Value" });
  const words = el("p", { class: "move-words", role: "status" });
  const key = curveKey();
  const parted = el("p", { class: "move-parting" });
  const delta = el(
    "button",
    { type: "button", class: "switch", role: "switch", "aria-checked": "false", "data-act": "delta" },
    "what changed",
    el("i"),
  );
  const help = el(
    "p",
    { class: "move-help" },
    "Drag it, or use ← →: Shift for more, Alt for less. Escape puts it back.",
  );
  const top = el("div", { class: "move-top" }, typed, delta);
  const root = el(
    "div",
    { class: "move" },
    grip.root,
    el("div", { class: "move-side" }, top, words, parted, key.root, help),
  );
  undo.on(delta, "click", acts.delta);
  undo.on(typed, "keydown", (event) => {
    if (event.key === "Enter") grip.alone(event, take);
    if (event.key === "Escape") grip.alone(event, acts.back);
  });
  undo.on(typed, "change", take);
  undo.add(grip.unmount);

  function take() {
    const value = Number(typed.value.trim().replace("−", "-").replace(",", "."));
    if (typed.value.trim() === "" || !Number.isFinite(value)) return typed.setAttribute("aria-invalid", "true");
    typed.removeAttribute("aria-invalid");
    if (held && value !== grip.value) grip.move(value, true);
  }

  /**
   * @param {number|null} loss that the value makes; null while it is computed
   * @param {number|null} [slope] of the loss there, where that is told
   */
  function draw(loss, slope = null) {
    const { value } = grip;
    if (!held || value === null) return;
    const { curve, name, lossName } = held;
    if (document.activeElement !== typed) typed.value = String(Number(value.toPrecision(7)));
    if (loss !== null || value === numberIn(curve.value))
      words.replaceChildren(...prose(moveWords(curve, name, value, loss, lossName, slope)));
  }

  return {
    root,
    /** @returns {number|null} where the number is now */
    get value() {
      return grip.value;
    },
    /** @param {string} name of the number that is taken, before the loss along it is known */
    wait(name) {
      held = null;
      grip.wait(name);
      words.textContent = "";
    },
    /**
     * @param {Curve} curve @param {{name: string, loss: string}} names of the number and of the loss
     * @param {number} value where it is now @param {number} loss
     */
    hold(curve, { name, loss: lossName }, value, loss) {
      held = { curve, name, lossName };
      key.name(lossName);
      grip.hold(curve, name, value);
      grip.place(loss);
      const parting = partingWords(curve, lossName);
      parted.replaceChildren(...prose(parting));
      parted.hidden = !parting;
      typed.removeAttribute("aria-invalid");
      draw(loss);
    },
    /**
     * @param {number} loss @param {number} value what it belongs to
     * @param {number|null} [slope] of the loss there: the tangent goes along
     */
    arrived(loss, value, slope = null) {
      if (slope !== null) grip.touch(value, loss, slope);
      if (!held || grip.value !== value) return;
      grip.place(loss);
      draw(loss, slope);
    },
    /** @param {number} value that it was moved to @param {number|null} pointer that still moves it */
    resume(value, pointer) {
      if (pointer === null) return grip.slowly(value);
      grip.seize(pointer);
      grip.move(value);
    },
    /** @param {boolean} on */
    showDelta: (on) => delta.setAttribute("aria-checked", String(on)),
    focus: grip.focus,
    unmount: undo.run,
  };
}
