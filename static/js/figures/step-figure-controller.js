import { mountEquation } from "../equation/equation-view.js";
import { shownAt } from "../walk/closeup.js";
import { levelAt } from "../walk/frame.js";
import { badge } from "../walk/badge-view.js";
import { el } from "../shared/dom/elements.js";
import { stepAt } from "./block.js";
import { need } from "./drawing.js";
import { mountFigure } from "./figure-controller.js";
/** @typedef {import("./drawing.js").Context} Context */
/** @typedef {import("./drawing.js").Figure} Figure */
/** @typedef {import("../walk/walk.js").Walk} Walk */

/** A step as the walk draws it: `forward Y`, `backward w`. @param {Context} context @returns {Figure} */
export function drawStep(context) {
  const { body, block, walk: first } = context;
  const [direction, target] = block.argument.split(" ");
  let walk = first;
  const told = block.props.step;
  const at = () => (walk === first && Number.isInteger(told) ? told : stepAt(walk, direction, target));
  const step = need(at(), block);
  const head = el("div", { class: "figure-head" });
  const box = el("div", { class: "figure-box" });
  body.replaceChildren(head, box);
  const figure = mountFigure(box, walk, { step }, mountEquation, context);
  write();

  function write() {
    const index = at();
    if (index !== null) head.replaceChildren(...headOf(walk, index));
  }

  return {
    update(next, rests) {
      walk = next;
      const index = at();
      if (index === null) return; // a number moved by hand has cut it off
      figure.move({ step: index });
      figure.update(next, rests);
      write();
    },
    needs() {
      const index = at();
      return index === null ? { steps: [], nodes: [] } : neededAt(walk, index);
    },
    redraw: () => figure.show(),
    play: figure.play,
    nudged: figure.nudged,
    marks: figure.marks,
    spot: () => ({ step, cell: figure.frame().state.cell, of: figure.frame().state.of }),
    unmount: figure.unmount,
  };
}

/** @param {Walk} walk @param {number} index @returns {import("./drawing.js").Needs} what a picture of a step draws */
export function neededAt(walk, index) {
  return { steps: [index], nodes: shownAt(walk, walk.steps[index], walk.steps[index].node) };
}

/** @param {Walk} walk @param {number} index @returns {HTMLElement[]} the line that is run, and how it came out */
export function headOf(walk, index) {
  const step = walk.steps[index];
  const level = step.direction === "backward" ? levelAt(walk, step.node, index) : "none";
  return [
    el("span", { class: `figure-way on-${step.direction}` }, step.direction),
    el("code", { class: "figure-code" }, step.code.replace(/\s*#.*$/, "")),
    ...(level === "none" ? [] : [badge(level)]),
  ];
}
