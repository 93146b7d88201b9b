import { byId, cleanups, el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { barsView } from "./bars-view.js";
import { showJoining } from "./joining-view.js";
import { wordFor } from "./mistake-words.js";
import { markedText } from "./wall-view.js";
/** @typedef {import("./types.js").ClassPicture} ClassPicture */
/** @typedef {import("./types.js").QuestionStanding} QuestionStanding */
/** @typedef {import("./types.js").WrittenAnswer} WrittenAnswer */
/** @typedef {import("./types.js").AskKind} Kind */

/**
 * What stands beside the teacher's walk.
 * @param {{name: string, board: string, csv: string, say: (command: object) => unknown,
 *   ask: (kind: Kind) => unknown}} acts
 */
export function makeRail({ name, board, csv, say, ask }) {
  const undo = cleanups();
  const tensor = /** @type {HTMLInputElement} */ (byId("tensor"));
  const until = /** @type {HTMLInputElement} */ (byId("until"));
  /** @type {ClassPicture|null} */
  let last = null;
  let shown = "";
  Object.assign(byId("to-board"), { href: board });
  Object.assign(byId("to-csv"), { href: csv });
  for (const button of document.querySelectorAll("[data-say]"))
    undo.on(button, "click", () => say({ kind: /** @type {HTMLElement} */ (button).dataset.say }));
  for (const button of document.querySelectorAll("[data-ask]"))
    undo.on(button, "click", () => ask(/** @type {Kind} */ (/** @type {HTMLElement} */ (button).dataset.ask)));
  const paces = [...document.querySelectorAll("[data-pace]")].map((one) => /** @type {HTMLElement} */ (one));
  for (const button of paces) undo.on(button, "click", () => say({ kind: "pace", pace: button.dataset.pace }));
  undo.on(byId("lock"), "click", () => say({ kind: last?.locked ? "unlock" : "lock" }));
  undo.on(byId("rotate"), "click", () => say({ kind: last?.rotating ? "keep" : "rotate" }));
  undo.on(byId("end"), "click", () => confirm("End the class? All answers are deleted.") && say({ kind: "end" }));
  undo.on(byId("texts"), "click", (event) => {
    const button = event.target.closest("[data-text]");
    if (button) say({ kind: button.dataset.walled === "true" ? "unwall" : "wall", text: button.dataset.text });
  });

  /** @param {ClassPicture} picture */
  function show(picture) {
    last = picture;
    const { present, locked, rotating, pace, question, ended, reachable } = picture;
    if (ended) return over();
    showJoining(name, picture);
    byId("alone").hidden = reachable;
    byId("present").textContent = present === 1 ? "1 here" : `${present} here`;
    for (const button of paces) button.setAttribute("aria-pressed", String(button.dataset.pace === pace));
    byId("lock").textContent = locked ? "Open joining" : "Close joining";
    byId("rotate").textContent = rotating ? "Keep this code" : "Change the code every minute";
    byId("question").hidden = !question;
    if (question) showQuestion(question, present);
    const asked = question ? `${question.question} ${question.round}` : "";
    if (asked !== shown) byId("question").toggleAttribute("open", true); // its teacher may fold it until the next one
    shown = asked;
  }

  function over() {
    byId("class").dataset.over = "";
    problem("The class has ended. Its answers are deleted.");
  }

  /** @param {string} text */
  function problem(text) {
    byId("rail-says").textContent = text;
  }
  return {
    show,
    over,
    problem,
    /** @param {boolean} on */
    connected: (on) => (byId("class").dataset.connected = String(on)),
    named: () => tensor.value.trim(),
    until: () => until.value,
    unmount: undo.run,
  };
}

/** @param {QuestionStanding} question @param {number} present */
function showQuestion(question, present) {
  const { ask, answered, late, closed, rounds = [], waiting = 0, texts = [] } = question;
  byId("prompt").replaceChildren(...prose(ask.prompt));
  const more = [late ? `${late} late` : "", waiting ? `${waiting} still being judged` : ""].filter(Boolean).join(", ");
  byId("answered").textContent = `${answered} of ${Math.max(present, answered)} answered${more ? `, ${more}` : ""}`;
  byId("distribution").replaceChildren(barsView(rounds));
  byId("texts").replaceChildren(...texts.map(textRow));
  byId("close").toggleAttribute("disabled", closed);
}

/** @param {WrittenAnswer} one */
function textRow({ text, students, walled, verdict }) {
  const named = verdict ? (verdict.correct ? "right" : wordFor(verdict.code)) : "being judged";
  const button = el(
    "button",
    { type: "button", class: "button", "data-text": text, "data-walled": String(walled), disabled: !verdict },
    walled ? "Take from the wall" : "On the wall",
  );
  return el(
    "li",
    {},
    markedText(text, verdict?.where ?? null),
    el("span", { class: "wall-by" }, `${students} × ${named}`),
    button,
  );
}
