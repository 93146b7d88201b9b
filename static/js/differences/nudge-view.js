import { mayAskAgain } from "./differences.js";
import { ravel } from "../shared/tensor.js";
import { shapeText } from "../shared/format.js";
import { mountErrorCurve } from "./error-curve-view.js";
import { byId, cleanups, el, icon } from "../shared/dom/elements.js";
import { doneWords } from "./nudge-words.js";
import { findingBox, cellTable } from "./finding-view.js";
import { prose } from "../shared/prose-view.js";
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

/** The dialog in which one gradient is put to the test by central differences. @param {Acts} acts */
export function mountNudge(acts) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("nudge-dialog"));
  const [title, tabs, body] = ["nudge-title", "nudge-tabs", "nudge"].map(byId);
  const undo = cleanups();
  const curve = mountErrorCurve();
  /** @type {Element|null} */
  let opener = null;
  let seed = 0;

  /** @param {Frame} frame @param {Mode} [wanted] */
  function show(frame, wanted) {
    const all = choices(frame, seed);
    const choice = all.find(({ mode }) => mode === wanted) ?? all[0];
    const { node } = frame;
    title.replaceChildren(
      "Central differences ",
      el("span", { class: "mono" }, `d${node.variable} ${shapeText(node.shape)}`),
    );
    tabs.replaceChildren(...all.map((one) => tab(frame, one, one === choice)));
    if (!dialog.open) {
      opener = document.activeElement;
      body.replaceChildren();
      dialog.showModal();
    }
    /** @type {HTMLElement|null} */ (tabs.querySelector("[aria-pressed=true]"))?.focus();
    load(frame, choice);
  }

  /** @param {Frame} frame @param {Choice} choice @param {boolean} pressed */
  function tab(frame, choice, pressed) {
    const button = el("button", { type: "button", "aria-pressed": String(pressed) }, choice.title);
    button.addEventListener("click", () => show(frame, choice.mode));
    return button;
  }

  /** @param {Frame} frame @param {Choice} choice */
  function load(frame, choice) {
    const again = () => load(frame, choice);
    body.setAttribute("aria-busy", "true");
    waiting(again);
    acts.load(
      frame.walk,
      { node: frame.node.name, ...choice.question },
      {
        arrived(nudge) {
          if (nudge.mode === "direction" && seed === 0) acts.found(nudge);
          draw(frame, nudge, choice);
          body.setAttribute("aria-busy", "false");
        },
        failed(problem) {
          body.replaceChildren(note(problem, again));
          body.setAttribute("aria-busy", "false");
        },
      },
    );
  }

  /** @param {() => void} again */
  function waiting(again) {
    const cancel = el("button", { type: "button", class: "button" }, "Cancel");
    cancel.addEventListener("click", () => {
      acts.stop();
      body.setAttribute("aria-busy", "false");
      body.replaceChildren(note({ code: "cancelled", message: "Cancelled." }, again));
    });
    const line = el(
      "p",
      { class: "nudge-wait" },
      el("span", { role: "status" }, "Running the program many times, nudged a little each time…"),
      cancel,
    );
    if (body.querySelector(".finding")) return body.querySelector(".nudge-done")?.replaceChildren(line);
    body.replaceChildren(line, el("div", { class: "skeleton wide" }), el("div", { class: "skeleton prose" }));
  }

  /** @param {Frame} frame @param {Nudge} nudge @param {Choice} choice */
  function draw(frame, nudge, choice) {
    const other =
      choice.mode === "cell"
        ? null
        : el(
            "button",
            { type: "button", class: "button" },
            icon("again"),
            choice.mode === "cells" ? "other cells" : "another direction",
          );
    other?.addEventListener("click", () => {
      seed += 1;
      show(frame, choice.mode);
    });
    const chosen = body.contains(document.activeElement);
    body.replaceChildren(
      el("div", { class: "nudge-done" }, el("p", {}, ...prose(doneWords(frame, nudge))), other),
      findingBox(frame, nudge),
      el(
        "div",
        { class: "nudge-evidence" },
        ...(choice.mode === "cells" && nudge.cells ? [cellTable(frame, nudge.cells)] : []),
        curve.root,
      ),
    );
    curve.update(nudge, frame.state.theme);
    if (chosen) (other ?? dialog).focus();
  }

  undo.on(dialog, "click", (event) => {
    if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
  });
  undo.on(dialog, "close", () => {
    acts.stop();
    const back = opener?.isConnected && opener !== document.body ? opener : document.querySelector("[data-act=nudge]");
    if (back instanceof HTMLElement) back.focus({ preventScroll: true });
  });
  undo.add(() => {
    acts.stop();
    if (dialog.open) dialog.close();
    curve.unmount();
  });
  return { show, unmount: undo.run };
}

/** @param {Frame} frame @param {number} seed @returns {Choice[]} what can be moved */
function choices({ node, state }, seed) {
  const { cell } = state;
  const picked = cell !== null && ravel(node.shape, cell) >= 0;
  const size = node.shape.reduce((a, b) => a * b, 1);
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
