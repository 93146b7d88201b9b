import { descentWords, stepWords } from "./ending.js";
import { lineOf, lowestOf, lowestWords, tenWords } from "./downhill.js";
import { curveKey } from "../changes/grip-picture-view.js";
import { mountGrip } from "../changes/grip-view.js";
import { promised } from "../changes/curve.js";
import { byId, cleanups, el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("./ending.js").Descent} Descent */
/**
 * `moved` asks for the loss at a learning rate, `go` walks on after so many steps, `closed` stops all questions.
 * @typedef {{moved: (rate: number) => void, stays: (rate: number) => void, go: (rate: number, steps: number) => void,
 *   closed: () => void}} Acts
 */

/**
 * The dialog of a step of gradient descent: the loss along the learning rate, beside what the gradients promise.
 * @param {Acts} acts
 */
export function mountDownhill(acts) {
  return new Downhill(acts);
}

class Downhill {
  /** @param {Acts} acts */
  constructor(acts) {
    this.acts = acts;
    this.dialog = /** @type {HTMLDialogElement} */ (byId("downhill-dialog"));
    /** @type {{line: Descent, loss: string}|null} */
    this.held = null;
    this.grip = this.gripped();
    this.typed = el("input", { class: "move-number", inputmode: "decimal", autocomplete: "off", id: "downhill-rate" });
    this.words = el("p", { class: "downhill-words", role: "status" });
    this.ten = el("p", { class: "downhill-ten" });
    this.best = el("p", { class: "downhill-best" });
    this.how = el("p", { class: "downhill-how" });
    this.trouble = el("p", { class: "move-trouble", role: "alert", hidden: true });
    this.body = el("div", { class: "move" }, this.grip.root, this.side());
    this.undo = cleanups();
    const going = [this.goButton("One step", 1), this.goButton("Ten steps", 10)];
    this.acting = el("div", { class: "downhill-go" }, ...going, this.how);
    byId("downhill").replaceChildren(this.trouble, this.body, this.acting);
    this.listen();
  }

  gripped() {
    return mountGrip({
      moved: (rate) => {
        this.typed.value = String(rate);
        this.acts.moved(rate);
      },
      stays: () => this.grip.value !== null && this.acts.stays(this.grip.value),
      away: () => this.dialog.close(),
    });
  }

  side() {
    const { typed, words, best, ten } = this;
    const rate = el("div", { class: "downhill-rate" }, el("label", { for: "downhill-rate" }, "learning rate"), typed);
    return el("div", { class: "move-side" }, rate, words, best, ten, curveKey().root);
  }

  /** @param {string} text @param {number} steps */
  goButton(text, steps) {
    const button = el("button", { type: "button", class: "button" }, text);
    this.undo.on(button, "click", () => {
      const rate = this.grip.value;
      this.dialog.close();
      if (rate) this.acts.go(rate, steps);
    });
    return button;
  }

  listen() {
    const { undo, dialog } = this;
    const take = () => this.take();
    undo.on(this.typed, "change", take);
    undo.on(this.typed, "keydown", (event) => event.key === "Enter" && this.grip.alone(event, take));
    undo.on(dialog, "close", this.acts.closed);
    undo.on(dialog, "click", (event) => {
      if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
    });
  }

  take() {
    const rate = Number(this.typed.value.trim().replace(",", "."));
    if (!(rate > 0) || !Number.isFinite(rate)) return this.typed.setAttribute("aria-invalid", "true");
    this.typed.removeAttribute("aria-invalid");
    this.grip.move(rate, true);
  }

  /** Before anything is known. */
  wait() {
    this.held = null;
    this.grip.wait("learning rate");
    for (const part of [this.words, this.ten, this.best, this.how]) part.textContent = "";
    this.body.hidden = this.acting.hidden = true;
    this.trouble.hidden = true;
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** @param {Descent} line at learning rates from 0 on @param {string} loss its name */
  hold(line, loss) {
    this.held = { line, loss };
    this.body.hidden = this.acting.hidden = false;
    const { rate } = lowestOf(line);
    const first = rate || line.steps[1].rate;
    this.grip.hold(lineOf(line), "learning rate", 0);
    this.best.replaceChildren(...prose(lowestWords(line, loss)));
    this.grip.move(Number(first.toPrecision(2)), true);
    this.grip.focus();
  }

  /** @param {number} rate @param {import("../walk/types.js").JsonNumber} after the loss there */
  arrived(rate, after) {
    if (!this.held || this.grip.value !== rate) return;
    const { line, loss } = this.held;
    const step = { rate, loss: after, promised: promised(lineOf(line), rate) };
    this.grip.place(Number(after));
    this.words.replaceChildren(...prose(descentWords({ ...line, steps: [step] }, 0, loss)));
    this.how.replaceChildren(...prose(stepWords(line, rate)));
    this.ten.textContent = "";
  }

  /** @param {number} rate @param {number} after the loss after ten steps */
  tenfold(rate, after) {
    if (this.held && this.grip.value === rate) this.ten.replaceChildren(...prose(tenWords(after, this.held.loss)));
  }

  /** @param {import("../walk/types.js").Problem} problem */
  fail(problem) {
    this.trouble.replaceChildren(...prose(`${problem.message} ${problem.hint ?? ""}`));
    this.trouble.hidden = false;
  }

  unmount = () => {
    if (this.dialog.open) this.dialog.close();
    this.undo.run();
    this.grip.unmount();
  };
}
