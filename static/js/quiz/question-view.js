import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */

/**
 * @param {Frame} frame @param {(choice: number) => void} answer
 * @returns {HTMLElement} the question that stands where the picture will be
 */
export function questionBox(frame, answer) {
  const question = frame.predictions.questionOf(frame.step);
  const list = el("ol", {});
  question?.choices.forEach((choice, i) => {
    const text = choiceText(choice, question.kind);
    const button = el(
      "button",
      { type: "button", class: "choice" },
      el("kbd", {}, String(i + 1)),
      el("span", {}, ...text),
    );
    button.addEventListener("click", () => answer(i));
    list.append(el("li", {}, button));
  });
  return el("div", { class: "question" }, el("p", { class: "prompt" }, ...prose(question?.prompt ?? "")), list);
}

/** @param {Frame} frame @returns {HTMLElement|null} whether the answer was right, said above the picture */
export function answerLine(frame) {
  const { predictions, step, state } = frame;
  const question = predictions.questionOf(step);
  const given = predictions.answer(step);
  if (!state.predict || !question || given === undefined) return null;
  const right = given === question.answer;
  return el(
    "p",
    { class: "answered" },
    el("span", { class: right ? "right" : "not" }, right ? "✓ right" : "✕ not this time"),
    right ? null : el("span", {}, "The answer: ", ...choiceText(question.choices[question.answer], question.kind)),
    el("span", { class: "tally" }, `${predictions.score} in this session`),
  );
}

/** @param {string} choice @param {string} kind @returns {Node[]} code as code */
function choiceText(choice, kind) {
  return kind === "transpose" || kind === "shape" ? [el("code", {}, choice)] : prose(choice);
}
