import { cleanups, el } from "../shared/dom/elements.js";
import { roving } from "../shared/dom/roving-focus.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("./mistakes-loader.js").Line} Line */
/** @typedef {import("../plant/plant.js").Choices} Choices */
/** @typedef {import("../walk/types.js").Problem} Problem */

/** @typedef {{look: (step: number) => void, take: (step: number, mistake: string) => void}} Acts */

/**
 * The dialog in which a line and its mistake are chosen.
 * @param {HTMLDialogElement} dialog @param {{lines: HTMLElement, choices: HTMLElement}} roots inside it
 * @param {Acts} acts
 */
export function mountMistakes(dialog, roots, acts) {
  const undo = cleanups();
  const [lines, choices] = [mountList(roots.lines), mountList(roots.choices)];
  for (const list of [lines, choices]) undo.add(list.unmount);
  undo.on(dialog, "click", (event) => pressed(dialog, event.target, acts));
  return {
    open() {
      lines.say("Looking for its lines…");
      roots.choices.replaceChildren();
      dialog.showModal();
    },
    /** @param {Line[]} found @param {number|null} chosen */
    lines(found, chosen) {
      const current = lines.fill(found.map((line) => lineButton(line, line.step === chosen)));
      current?.scrollIntoView({ block: "nearest" });
      current?.focus();
    },
    /** @param {number} step that is looked at */
    looking(step) {
      for (const button of roots.lines.querySelectorAll("button"))
        button.setAttribute("aria-pressed", String(button.dataset.step === String(step)));
      choices.say("Looking for what could go wrong here…");
    },
    /** @param {Choices} found @param {string} chosen */
    choices({ step, mistakes }, chosen) {
      if (!mistakes.length) choices.say("Nothing on the list can go wrong in this line.");
      else choices.fill(mistakes.map((one) => mistakeButton(step, one, one.mistake === chosen)));
    },
    /** @param {Problem} problem */
    fail: ({ message, hint }) => choices.say(`${message} ${hint ?? ""}`),
    unmount() {
      undo.run();
      if (dialog.open) dialog.close();
    },
  };
}

/** @param {HTMLDialogElement} dialog @param {HTMLElement} target @param {Acts} acts */
function pressed(dialog, target, { look, take }) {
  if (target === dialog || target.closest("[data-close]")) dialog.close();
  const { step, mistake } = target.closest("button")?.dataset ?? {};
  if (step === undefined) return;
  if (mistake === undefined) return look(Number(step));
  take(Number(step), mistake);
  dialog.close();
}

/** Buttons of which one is pressed, gone through by arrow keys. @param {HTMLElement} root */
function mountList(root) {
  const focus = roving(root, "button");
  return {
    /** @param {string} words in their place */
    say: (words) => root.replaceChildren(el("p", { class: "plant-wait", role: "status" }, ...prose(words))),
    /** @param {HTMLElement[]} buttons @returns {HTMLElement} the one that is pressed, else the first */
    fill(buttons) {
      root.replaceChildren(...buttons);
      const current = buttons.find((button) => button.getAttribute("aria-pressed") === "true") ?? buttons[0];
      for (const button of buttons) button.tabIndex = button === current ? 0 : -1;
      focus.setCurrent(current);
      return current;
    },
    unmount: focus.unmount,
  };
}

/** @param {Line} line @param {boolean} chosen */
function lineButton({ step, code }, chosen) {
  const props = { type: "button", class: "mistake-line", "data-step": step, "aria-pressed": String(chosen) };
  return el("button", props, el("span", {}, String(step + 1)), el("code", {}, code));
}

/** @param {number} step @param {Choices["mistakes"][number]} mistake @param {boolean} chosen */
function mistakeButton(step, { mistake, label, code, why }, chosen) {
  const props = { "data-step": step, "data-mistake": mistake, "aria-pressed": String(chosen) };
  return el(
    "button",
    { type: "button", class: "plant-choice", ...props },
    el("span", { class: "plant-label" }, ...prose(label)),
    el("code", {}, code),
    el("span", { class: "plant-why" }, ...prose(why)),
  );
}
