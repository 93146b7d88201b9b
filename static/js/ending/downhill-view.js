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
  const undo = cleanups();
  const dialog = /** @type {HTMLDialogElement} */ (byId("downhill-dialog"));
  /** @type {{line: Descent, loss: string}|null} */
  let held = null;
  const grip = mountGrip({
    moved(rate) {
      typed.value = String(rate);
      acts.moved(rate);
    },
    stays: () => grip.value !== null && acts.stays(grip.value),
    away: () => dialog.close(),
  });
  const typed = el("input", { class: "move-number", inputmode: "decimal", autocomplete: "off", id: "downhill-rate" });
  const words = el("p", { class: "downhill-words", role: "status" });
  const ten = el("p", { class: "downhill-ten" });
  const best = el("p", { class: "downhill-best" });
  const how = el("p", { class: "downhill-how" });
  const trouble = el("p", { class: "move-trouble", role: "alert", hidden: true });
  const [one, several] = [
    ["One step", 1],
    ["Ten steps", 10],
  ].map(([text, steps]) => {
    const button = el("button", { type: "button", class: "button" }, String(text));
    undo.on(button, "click", () => {
      const rate = grip.value;
      dialog.close();
      if (rate) acts.go(rate, Number(steps));
    });
    return button;
  });
  const side = el(
    "div",
    { class: "move-side" },
    el("div", { class: "downhill-rate" }, el("label", { for: "downhill-rate" }, "learning rate"), typed),
    words,
    best,
    ten,
    curveKey().root,
  );
  const body = el("div", { class: "move" }, grip.root, side);
  const acting = el("div", { class: "downhill-go" }, one, several, how);
  byId("downhill").replaceChildren(trouble, body, acting);
  undo.on(typed, "change", take);
  undo.on(typed, "keydown", (event) => event.key === "Enter" && grip.alone(event, take));
  undo.on(dialog, "close", acts.closed);
  undo.on(dialog, "click", (event) => {
    if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
  });

  function take() {
    const rate = Number(typed.value.trim().replace(",", "."));
    if (!(rate > 0) || !Number.isFinite(rate)) return typed.setAttribute("aria-invalid", "true");
    typed.removeAttribute("aria-invalid");
    grip.move(rate, true);
  }

  return {
    /** Before anything is known. */
    wait() {
      held = null;
      grip.wait("learning rate");
      for (const part of [words, ten, best, how]) part.textContent = "";
      body.hidden = acting.hidden = true;
      trouble.hidden = true;
      if (!dialog.open) dialog.showModal();
    },
    /** @param {Descent} line at learning rates from 0 on @param {string} loss its name */
    hold(line, loss) {
      held = { line, loss };
      body.hidden = acting.hidden = false;
      const { rate } = lowestOf(line);
      const first = rate || line.steps[1].rate;
      grip.hold(lineOf(line), "learning rate", 0);
      best.replaceChildren(...prose(lowestWords(line, loss)));
      grip.move(Number(first.toPrecision(2)), true);
      grip.focus();
    },
    /** @param {number} rate @param {import("../walk/types.js").JsonNumber} after the loss there */
    arrived(rate, after) {
      if (!held || grip.value !== rate) return;
      const { line, loss } = held;
      const step = { rate, loss: after, promised: promised(lineOf(line), rate) };
      grip.place(Number(after));
      words.replaceChildren(...prose(descentWords({ ...line, steps: [step] }, 0, loss)));
      how.replaceChildren(...prose(stepWords(line, rate)));
      ten.textContent = "";
    },
    /** @param {number} rate @param {number} after the loss after ten steps */
    tenfold(rate, after) {
      if (held && grip.value === rate) ten.replaceChildren(...prose(tenWords(after, held.loss)));
    },
    /** @param {import("../walk/types.js").Problem} problem */
    fail(problem) {
      trouble.replaceChildren(...prose(`${problem.message} ${problem.hint ?? ""}`));
      trouble.hidden = false;
    },
    unmount() {
      if (dialog.open) dialog.close();
      undo.run();
      grip.unmount();
    },
  };
}
