import { mayAskAgain } from "./differences.js";
import { ravel } from "../shared/tensor.js";
import { shapeText } from "../shared/format.js";
import { mountErrorCurve } from "./error-curve-view.js";
import { byId, cleanups, el, icon } from "../shared/dom/elements.js";
import { doneWords } from "./nudge-words.js";
import { findingBox, cellTable } from "./finding-view.js";
import { prose } from "../shared/prose-view.js";
import { numel } from "../shared/shape.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./differences.js").Nudge} Nudge */
/** @typedef {"direction"|"cell"|"cells"} Mode */
/** @typedef {{title: string, mode: Mode, question: object}} Choice */
/** @typedef {import("../walk/types.js").Problem} Problem */
/**
 * `found` hears of every answer about a direction; of two requests under way only the later is answered.
 * @typedef {{found: (nudge: Nudge) => void, stop: () => void, load: (walk: import("../walk/walk.js").Walk,
 *   question: object, hears: {arrived: (nudge: Nudge) => void, failed: (problem: Problem) => void}) => void}} Acts
 */

/** What is drawn anew; of one cell there is no other. */
const OTHER = { direction: "another direction", cells: "other cells", cell: "" };

/** The dialog in which one gradient is put to the test by central differences. @param {Acts} acts */
export function mountNudge(acts) {
  const dialog = new NudgeDialog(acts);
  return {
    /** @param {Frame} frame @param {Mode} [wanted] */
    show: (frame, wanted) => dialog.show(frame, wanted),
    unmount: () => dialog.unmount(),
  };
}

class NudgeDialog {
  /** @param {Acts} acts */
  constructor(acts) {
    this.acts = acts;
    this.dialog = /** @type {HTMLDialogElement} */ (byId("nudge-dialog"));
    this.title = byId("nudge-title");
    this.tabs = byId("nudge-tabs");
    this.body = byId("nudge");
    this.curve = mountErrorCurve();
    /** @type {Element|null} what the keyboard had reached */
    this.opener = null;
    this.seed = 0;
    this.undo = cleanups();
    this.undo.on(this.dialog, "click", (event) => {
      if (event.target === this.dialog || event.target.closest("[data-close]")) this.dialog.close();
    });
    this.undo.on(this.dialog, "close", () => this.closed());
  }

  closed() {
    const { opener } = this;
    this.acts.stop();
    const again = document.querySelector("[data-act=nudge]"); // a step that was drawn anew has another one
    const back = opener?.isConnected ? opener : opener && again ? again : document.getElementById("step");
    if (back instanceof HTMLElement) back.focus({ preventScroll: true });
  }

  unmount() {
    this.acts.stop();
    if (this.dialog.open) this.dialog.close();
    this.curve.unmount();
    this.undo.run();
  }

  /** @param {Frame} frame @param {Mode} [wanted] */
  show(frame, wanted) {
    const all = choices(frame, this.seed);
    const choice = all.find(({ mode }) => mode === wanted) ?? all[0];
    const { variable, shape } = frame.node;
    const subject = el("span", { class: "mono" }, `d${variable} ${shapeText(shape)}`);
    this.title.replaceChildren("Central differences ", subject);
    this.tabs.replaceChildren(...all.map((one) => this.tab(frame, one, one === choice)));
    if (!this.dialog.open) {
      const from = document.activeElement;
      this.opener = from?.matches(":focus-visible") ? from : null; // else Space is the walk's
      this.body.replaceChildren();
      this.dialog.showModal();
    }
    /** @type {HTMLElement|null} */ (this.tabs.querySelector("[aria-pressed=true]"))?.focus();
    this.load(frame, choice);
  }

  /** @param {Frame} frame @param {Choice} choice @param {boolean} pressed */
  tab(frame, choice, pressed) {
    const button = el("button", { type: "button", "aria-pressed": String(pressed) }, choice.title);
    button.addEventListener("click", () => this.show(frame, choice.mode));
    return button;
  }

  /** @param {Frame} frame @param {Choice} choice */
  load(frame, choice) {
    const again = () => this.load(frame, choice);
    this.body.setAttribute("aria-busy", "true");
    this.waiting(again);
    this.acts.load(
      frame.walk,
      { node: frame.node.name, ...choice.question },
      {
        arrived: (nudge) => {
          if (nudge.mode === "direction" && this.seed === 0) this.acts.found(nudge);
          this.draw(frame, nudge, choice);
          this.body.setAttribute("aria-busy", "false");
        },
        failed: (problem) => this.told(note(problem, again)),
      },
    );
  }

  /** @param {HTMLElement} words in the place of an answer */
  told(words) {
    this.body.replaceChildren(words);
    this.body.setAttribute("aria-busy", "false");
  }

  /** @param {() => void} again */
  waiting(again) {
    const { body } = this;
    const cancel = el("button", { type: "button", class: "button" }, "Cancel");
    cancel.addEventListener("click", () => {
      this.acts.stop();
      this.told(note({ code: "cancelled", message: "Cancelled." }, again));
    });
    const words = el("span", { role: "status" }, "Running the program many times, nudged a little each time…");
    const line = el("p", { class: "nudge-wait" }, words, cancel);
    if (body.querySelector(".finding")) return body.querySelector(".nudge-done")?.replaceChildren(line);
    body.replaceChildren(line, el("div", { class: "skeleton wide" }), el("div", { class: "skeleton prose" }));
  }

  /** @param {Frame} frame @param {Nudge} nudge @param {Choice} choice */
  draw(frame, nudge, choice) {
    const other = OTHER[choice.mode] ? this.otherButton(frame, choice) : null;
    const table = choice.mode === "cells" && nudge.cells ? [cellTable(frame, nudge.cells)] : [];
    const chosen = this.body.contains(document.activeElement);
    this.body.replaceChildren(
      el("div", { class: "nudge-done" }, el("p", {}, ...prose(doneWords(frame, nudge))), other),
      findingBox(frame, nudge),
      el("div", { class: "nudge-evidence" }, ...table, this.curve.root),
    );
    this.curve.update(nudge, frame.state.theme);
    if (chosen) (other ?? this.dialog).focus();
  }

  /** @param {Frame} frame @param {Choice} choice */
  otherButton(frame, { mode }) {
    const button = el("button", { type: "button", class: "button" }, icon("again"), OTHER[mode]);
    button.addEventListener("click", () => {
      this.seed += 1;
      this.show(frame, mode);
    });
    return button;
  }
}

/** @param {Frame} frame @param {number} seed @returns {Choice[]} what can be moved */
function choices({ node, state }, seed) {
  const { cell } = state;
  const picked = cell !== null && ravel(node.shape, cell) >= 0;
  const size = numel(node.shape);
  return [
    {
      title: size === 1 ? "its only cell" : "all cells, one direction",
      mode: "direction",
      question: { mode: "direction", seed },
    },
    ...(picked && size > 1
      ? [
          {
            title: `cell [${cell.join(", ")}]`,
            mode: /** @type {const} */ ("cell"),
            question: { mode: "cells", cells: [cell] },
          },
        ]
      : []),
    ...(size > 1
      ? [
          {
            title: size > 8 ? "a few cells" : "each cell",
            mode: /** @type {const} */ ("cells"),
            question: { mode: "cells", seed },
          },
        ]
      : []),
  ];
}

/** @param {Problem} problem @param {() => void} again */
function note(problem, again) {
  const { message, hint } = problem;
  const retry = el("button", { type: "button", class: "button strong" }, "Ask again");
  retry.addEventListener("click", again);
  return el(
    "div",
    { class: "nudge-note", role: "alert" },
    el("p", {}, ...prose(message)),
    hint ? el("p", { class: "hint-text" }, ...prose(hint)) : null,
    mayAskAgain(problem) ? el("p", {}, retry) : null,
  );
}
