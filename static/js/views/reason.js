import { candidates } from "./candidates.js";
import { el } from "./dom.js";
import { mathNode, prose } from "./prose.js";
/** @typedef {import("../model/frame.js").Frame} Frame */
/** @typedef {import("../model/types.js").Step} Step */
/** @typedef {import("../model/types.js").Candidate} Candidate */

/** What is longer than this does not come before the main sentence. */
const LONG = 240;
const MAIN = ["broadcast", "accumulate", "local", "note", "upstream"];

/** Where every shape of a product can stand open without pushing the charts out of sight. */
const TALL = matchMedia("(min-height: 1000px)");

/** Why the line is as it is: the main reason large, the rest beside it, the formula, the transposes that were possible. @param {HTMLElement} root */
export function mountReason(root) {
  /** @type {boolean|null} whether the shapes are unfolded, once someone has decided it */
  let unfolded = null;

  /** @param {Candidate[]} all */
  function shapes(all) {
    const box = candidates(all);
    box.open = unfolded ?? TALL.matches;
    box.firstElementChild?.addEventListener("click", () => { unfolded = !box.open; });
    return box;
  }

  return {
    /** @param {Frame} frame */
    update(frame) {
      if (frame.inspecting) return root.replaceChildren(aboutNode(frame));
      const { step } = frame;
      const math = mathNode(step.math);
      const { told, known } = sorted(step);
      root.replaceChildren(
        lead(step, told, frame.tug),
        ...(math ? [el("div", { class: "formula", tabindex: 0, role: "region", "aria-label": "The same as a formula" }, math)] : []),
        ...(step.direction === "backward" && step.candidates.length ? [shapes(step.candidates)] : []),
        ...aside(known),
      );
    },
    clear: () => root.replaceChildren(),
    unmount: () => root.replaceChildren(),
  };
}

/** @param {Step} step @returns {{kind: string, text: string}[]} */
function sentences(step) {
  const told = new Set(step.explanation.map((sentence) => sentence.text));
  if (step.direction === "backward") return step.explanation;
  return [...step.explanation, ...step.broadcasts.filter((broadcast) => !told.has(broadcast.text)).map((broadcast) => ({ kind: "broadcast", text: broadcast.text }))];
}

/** @param {Step} step @returns {{told: {kind: string, text: string}[], known: {kind: string, text: string}[]}} what is new at this step, and what every step says of the gradient that arrives */
function sorted(step) {
  const all = sentences(step);
  const told = all.filter((sentence) => sentence.kind !== "upstream");
  return told.length ? { told, known: all.filter((sentence) => sentence.kind === "upstream") } : { told: all, known: [] };
}

/** @param {Step} step @param {{kind: string, text: string}[]} told @param {boolean} tug whether the tug-of-war is shown, of which the lesson tells */
function lead(step, told, tug) {
  const all = told.filter((sentence) => sentence.kind !== "lesson");
  const kind = MAIN.find((candidate) => all.some((sentence) => sentence.kind === candidate));
  const box = el("div", { class: `lead on-${step.direction}` });
  // of several rules folded into one line, the last is the one the line is about
  const main = all.filter((sentence) => sentence.kind === kind).pop();
  const [before, after] = [all.slice(0, main ? all.indexOf(main) : 0), all.slice(main ? all.indexOf(main) + 1 : 0)];
  const lessons = told.filter((sentence) => sentence.kind === "lesson");
  const large = lessons.length && (tug || step.direction === "forward") ? "aside" : "gist";
  box.append(...lessons.map((sentence) => el("p", { class: large === "aside" ? "gist" : null }, ...prose(sentence.text))));
  const first = before.reduce((length, { text }) => length + text.length, 0) > LONG ? [] : before;
  const rest = first === before ? after : [...before, ...after];
  box.append(...aside(first), ...(main ? [el("p", { class: large }, ...prose(main.text))] : []), ...aside(rest));
  return box;
}

/** @param {{text: string}[]} all @returns {HTMLElement[]} what leads up to the main sentence, or follows from it, as one paragraph */
function aside(all) {
  return all.length ? [el("p", { class: "aside" }, ...prose(all.map((sentence) => sentence.text).join(" ")))] : [];
}

/** @param {Frame} frame */
function aboutNode({ node, walk }) {
  const users = walk.document.nodes.filter((other) => other.inputs.includes(node.name)).map((other) => `\`${other.name}\``);
  const text = `\`${node.name}\` is ${node.role === "parameter" ? "a **parameter**: its gradient is what training needs" : `**${node.role}**, given before the walk begins`}. It is used in ${users.join(", ") || "no line"}.`;
  const rest = node.gradient ? "Its gradient is not on screen: walk to a backward step, or press b." : "It has no gradient: it is made of whole numbers.";
  return el("div", { class: "lead on-forward" }, el("p", { class: "gist" }, ...prose(text)), el("p", { class: "aside" }, rest));
}
