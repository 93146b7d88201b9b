import { beginning } from "./beginning-view.js";
import { candidates } from "./candidates-view.js";
import { distribution } from "../evidence/distribution-view.js";
import { el } from "../shared/dom/elements.js";
import { mathNodes, prose } from "../shared/prose-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/types.js").Step} Step */
/** @typedef {import("../walk/types.js").Candidate} Candidate */

/** What is longer than this does not come before the main sentence. */
const LONG = 240;
const MAIN = ["broadcast", "accumulate", "local", "note", "upstream"];

/** Where every shape of a product can stand open without pushing the charts out of sight. */
const TALL = matchMedia("(min-height: 1000px) and (min-width: 1081px)");

/**
 * Why the line is as it is: the main reason large, the rest beside it, the formula, the transposes that were possible.
 * @param {HTMLElement} root @param {(frame: Frame) => HTMLElement[]} ending what stands below the last step
 * @param {(frame: Frame) => HTMLElement[]} mistake what is wrong with a wrong prediction; it leaves room for the main
 *   sentence alone
 */
export function mountExplanation(root, ending, mistake) {
  /** @type {boolean|null} whether the shapes are unfolded, once someone has decided it */
  let unfolded = null;

  /** @param {Candidate[]} all */
  function shapes(all) {
    const box = candidates(all);
    box.open = unfolded ?? TALL.matches;
    box.firstElementChild?.addEventListener("click", () => {
      unfolded = !box.open;
    });
    return box;
  }

  return {
    /** @param {Frame} frame */
    update(frame) {
      if (frame.inspecting) return root.replaceChildren(aboutNode(frame));
      const { step } = frame;
      const tug = frame.tug && frame.state.view === null;
      const math = tug ? [] : mathNodes(step.math);
      const { told, known } = sorted(step);
      const wrong = mistake(frame);
      if (wrong.length) return root.replaceChildren(...wrong, lead(step, told, frame.tug), ...ending(frame));
      root.replaceChildren(
        ...beginning(frame),
        ...(tug || (step.direction === "backward" && step.lost) ? [] : aside(known)),
        lead(step, told, tug),
        ...(math.length
          ? [
              el(
                "div",
                { class: "formula", tabindex: 0, role: "region", "aria-label": "The same as a formula" },
                ...math,
              ),
            ]
          : []),
        ...(step.direction === "backward" && step.candidates.length ? [shapes(step.candidates)] : []),
        ...distribution(frame),
        ...ending(frame),
      );
    },
    clear: () => root.replaceChildren(),
    unmount: () => root.replaceChildren(),
  };
}

/**
 * @param {Step} step
 * @returns {{told: {kind: string, text: string}[], known: {kind: string, text: string}[]}} what is new at this step,
 *   and the upstream gradient, which comes first
 */
function sorted(step) {
  const all = step.explanation;
  const told = all.filter((sentence) => sentence.kind !== "upstream");
  const known = all.filter((sentence) => sentence.kind === "upstream" && !isDrawn(step, sentence.text));
  return told.length ? { told, known } : { told: all, known: [] };
}

/** @param {Step} step @param {string} text @returns {boolean} whether it says no more than a caption of the picture */
function isDrawn(step, text) {
  const operands = step.direction === "backward" ? (step.picture?.operands ?? []) : [];
  const name = /^`(\w+)` arrives\.$/.exec(text)?.[1];
  const names = operands.flatMap(({ role, code }) => (role === "local" ? [] : [...code.matchAll(/\w+/g)].map(String)));
  return name !== undefined && names.includes(name);
}

/**
 * @param {Step} step @param {{kind: string, text: string}[]} told
 * @param {boolean} tug whether the tug-of-war is shown, of which the lesson tells
 */
function lead(step, told, tug) {
  const all = told.filter((sentence) => sentence.kind !== "lesson");
  const kind = MAIN.find((candidate) => all.some((sentence) => sentence.kind === candidate));
  const box = el("div", { class: `lead on-${step.direction}` });
  // of several rules folded into one line, the last is the one the line is about
  const main = all.filter((sentence) => sentence.kind === kind).pop();
  const [before, after] = [all.slice(0, main ? all.indexOf(main) : 0), all.slice(main ? all.indexOf(main) + 1 : 0)];
  const lessons = told.filter((sentence) => sentence.kind === "lesson");
  const large = lessons.length && (tug || !main || step.direction === "forward") ? "aside" : "gist";
  box.append(
    ...lessons.map((sentence) =>
      el("p", { class: large === "aside" ? "gist lesson" : "lesson" }, ...prose(sentence.text)),
    ),
  );
  if (tug && lessons.length) return box; // it is not about this line alone: the equation is
  const first = before.reduce((length, { text }) => length + text.length, 0) > LONG ? [] : before;
  const rest = first === before ? after : [...before, ...after];
  box.append(...aside(first), ...(main ? [el("p", { class: large }, ...prose(main.text))] : []), ...aside(rest));
  return box;
}

/**
 * @param {{text: string}[]} all
 * @returns {HTMLElement[]} what leads up to the main sentence, or follows from it, as one paragraph
 */
function aside(all) {
  return all.length ? [el("p", { class: "aside" }, ...prose(all.map((sentence) => sentence.text).join(" ")))] : [];
}

/** @param {Frame} frame */
function aboutNode({ node, walk }) {
  const users = walk.document.nodes
    .filter((other) => other.inputs.includes(node.name))
    .map((other) => `\`${other.variable}\``);
  const parameter = "a **parameter**: its gradient is what training needs";
  const what = node.role === "parameter" ? parameter : `**${node.role}**, given before the first step`;
  const text = `\`${node.variable}\` is ${what}. It is used in ${users.join(", ") || "no line"}.`;
  const rest = node.gradient ? "Its gradient comes in the backward pass: press b." : (node.no_gradient?.text ?? "");
  return el(
    "div",
    { class: "lead on-forward" },
    el("p", { class: "gist" }, ...prose(text)),
    el("p", { class: "aside" }, ...prose(rest)),
  );
}
