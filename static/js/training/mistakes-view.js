import { cleanups, el } from "../shared/dom/elements.js";
import { roving } from "../shared/dom/roving-focus.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("./mistakes-loader.js").Line} Line */
/** @typedef {import("../plant/plant.js").Choices} Choices */
/** @typedef {import("../walk/types.js").Problem} Problem */

/**
 * The dialog in which a line and its mistake are chosen.
 * @param {HTMLDialogElement} dialog
 * @param {{lines: HTMLElement, choices: HTMLElement}} roots inside it
 * @param {{look: (step: number) => void, take: (step: number, mistake: string) => void}} acts
 */
export function mountMistakes(dialog, roots, { look, take }) {
  const undo = cleanups();
  const [lineFocus, choiceFocus] = [roving(roots.lines, "button"), roving(roots.choices, "button")];
  for (const focus of [lineFocus, choiceFocus]) undo.add(focus.unmount);
  undo.on(dialog, "click", (event) => {
    if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
    const { step, mistake } = event.target.closest("button")?.dataset ?? {};
    if (step === undefined) return;
    if (mistake === undefined) return look(Number(step));
    take(Number(step), mistake);
    dialog.close();
  });

  /** @param {HTMLElement} root @param {string} words */
  function say(root, words) {
    root.replaceChildren(el("p", { class: "plant-wait", role: "status" }, ...prose(words)));
  }

  /** @param {HTMLElement} root @param {HTMLElement[]} buttons @param {ReturnType<typeof roving>} focus */
  function fill(root, buttons, focus) {
    root.replaceChildren(...buttons);
    const current = buttons.find((button) => button.getAttribute("aria-pressed") === "true") ?? buttons[0];
    for (const button of buttons) button.tabIndex = button === current ? 0 : -1;
    focus.setCurrent(current);
    return current;
  }

  return {
    open() {
      say(roots.lines, "Looking for its lines…");
      roots.choices.replaceChildren();
      dialog.showModal();
    },
    /** @param {Line[]} lines @param {number|null} chosen */
    lines(lines, chosen) {
      const buttons = lines.map(({ step, code }) =>
        el(
          "button",
          { type: "button", class: "mistake-line", "data-step": step, "aria-pressed": String(step === chosen) },
          el("span", {}, String(step + 1)),
          el("code", {}, code),
        ),
      );
      const current = fill(roots.lines, buttons, lineFocus);
      current?.scrollIntoView({ block: "nearest" });
      current?.focus();
    },
    /** @param {number} step that is looked at */
    looking(step) {
      for (const button of roots.lines.querySelectorAll("button"))
        button.setAttribute("aria-pressed", String(button.dataset.step === String(step)));
      say(roots.choices, "Looking for what could go wrong here…");
    },
    /** @param {Choices} choices @param {string} chosen */
    choices({ step, mistakes }, chosen) {
      if (!mistakes.length) return say(roots.choices, "Nothing on the list can go wrong in this line.");
      const buttons = mistakes.map(({ mistake, label, code, why }) =>
        el(
          "button",
          {
            type: "button",
            class: "plant-choice",
            "data-step": step,
            "data-mistake": mistake,
            "aria-pressed": String(mistake === chosen),
          },
          el("span", { class: "plant-label" }, ...prose(label)),
          el("code", {}, code),
          el("span", { class: "plant-why" }, ...prose(why)),
        ),
      );
      fill(roots.choices, buttons, choiceFocus);
      return undefined;
    },
    /** @param {Problem} problem */
    fail: ({ message, hint }) => say(roots.choices, `${message} ${hint ?? ""}`),
    unmount() {
      undo.run();
      if (dialog.open) dialog.close();
    },
  };
}
