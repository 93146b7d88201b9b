import { button } from "../shared/dom/button.js";
import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { differsByNumbers, heatmaps, shapeBoxes } from "./mistake-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/types.js").Choice} Choice */
/** @typedef {ReturnType<typeof import("./answers-loader.js").makeAnswersLoader>} Answers */

/**
 * @param {Frame} frame @param {(choice: number) => void} answer
 * @returns {HTMLElement} the question that stands where the picture will be
 */
export function questionBox(frame, answer) {
  const question = frame.predictions.questionOf(frame.step);
  const list = el("ol", {});
  question?.choices.forEach((choice, i) => {
    const parts = [el("kbd", {}, String(i + 1)), el("span", {}, choiceText(choice))];
    list.append(
      el(
        "li",
        {},
        button({ class: "choice" }, () => answer(i), ...parts),
      ),
    );
  });
  return el("div", { class: "question" }, el("p", { class: "prompt" }, ...prose(question?.prompt ?? "")), list);
}

/**
 * @param {Frame} frame
 * @returns {{chosen: Choice, right: Choice, given: number}|null} the answer that was given here
 */
function answerAt({ predictions, step, state, inspecting }) {
  const question = predictions.questionOf(step);
  const given = predictions.answer(step);
  if (!state.predict || inspecting || !question || given === undefined) return null;
  return { chosen: question.choices[given], right: question.choices[question.answer], given };
}

/** @param {Frame} frame @returns {HTMLElement|null} whether the answer was right, said above the picture */
export function answerLine(frame) {
  const answer = answerAt(frame);
  if (!answer) return null;
  const right = answer.chosen === answer.right;
  return el(
    "p",
    { class: "answered" },
    el("span", { class: right ? "right" : "not" }, right ? "✓ right" : "✕ not this time"),
    el("span", { class: "true-answer" }, right ? "" : "It is ", choiceText(answer.right)),
    el("span", { class: "tally" }, `${frame.predictions.score} in this session`),
  );
}

/**
 * @param {Frame} frame @param {Answers} answers
 * @returns {HTMLElement[]} what is wrong with a wrong answer, and what it gives beside what is right
 */
export function mistake(frame, answers) {
  const answer = answerAt(frame);
  if (!answer || answer.chosen === answer.right) return [];
  const { chosen } = answer;
  const words = el("p", {}, "You chose ", choiceText(chosen), ". ", ...prose(chosen.why));
  return [
    el(
      "section",
      { class: "wrong-answer", "aria-label": "Your answer" },
      words,
      mistakePicture(frame, answer, answers),
    ),
  ];
}

/** @param {Frame} frame @param {{chosen: Choice, right: Choice, given: number}} answer @param {Answers} answers */
function mistakePicture({ step, state }, { chosen, right, given }, answers) {
  if (state.projector || !differsByNumbers(chosen, right)) return shapeBoxes(chosen, right);
  if (chosen.shape?.every((length) => length === 1)) return null;
  const both = answers.of(step.index, given);
  return both && heatmaps(both, state.theme);
}

/** @param {Choice} choice @returns {HTMLElement} code as code */
function choiceText({ code, words }) {
  return code ? el("code", {}, code) : el("span", {}, ...prose(words));
}
