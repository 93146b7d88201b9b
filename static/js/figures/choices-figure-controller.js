import { shapeBoxes } from "../quiz/mistake-view.js";
import { el } from "../shared/dom/elements.js";
import { axisPictures } from "./axis-pictures-view.js";
import { sameLine, summedAt, summingStep } from "./collapse.js";
import { need, UNDONE } from "./drawing.js";
import { productPicture } from "./product-picture-view.js";
import { answered, revealed } from "./question.js";
import { mountQuestion } from "./question-view.js";
/** @typedef {import("./block.js").Choice} Choice */
/** @typedef {import("./drawing.js").Context} Context */
/** @typedef {import("./drawing.js").Deed} Deed */
/** @typedef {import("./drawing.js").Figure} Figure */
/** @typedef {(chosen: Choice, right: Choice) => HTMLElement|null} Picture what an answer gives, drawn */

/** A question whose answers are listed. @param {Context} context @returns {Figure} */
export function drawPredict(context) {
  return drawChoices(context, shapesOf, () => null);
}

/**
 * Pick the axis: which one to sum along, and whether to keep it; every choice shows what comes out of it.
 * @param {Context} context @returns {Figure}
 */
export function drawAxis(context) {
  const { block, theme } = context;
  let { walk } = context;
  const step = summingStep(walk, block);
  const at = sameLine(walk, step);
  const figure = drawChoices(
    context,
    (chosen) => {
      const summed = summedAt(walk, at(walk));
      return summed && chosen.axes ? axisPictures(summed, { ...chosen, axes: chosen.axes }, theme()) : null;
    },
    () => step,
    true,
  );
  return {
    ...figure,
    update(next) {
      walk = next; // drawn where numbers rest: it needs none on their way
      figure.redraw();
    },
  };
}

/**
 * Shape check: every order and transpose of a matrix product, each to be tried, with the shapes that meet in it.
 * @param {Context} context @returns {Figure}
 */
export function drawShapes(context) {
  const { block, walk } = context;
  const target = block.argument.replace(/^d(?=\w)/, "");
  const steps = (walk.backwardIndex.get(target) ?? []).map((index) => walk.steps[index]);
  const found = need(
    steps.find((step) => step.direction === "backward" && step.candidates.length),
    block,
  );
  const candidates = found.direction === "backward" ? found.candidates : [];
  return drawChoices(
    context,
    ({ text }) => {
      const candidate = candidates.find(({ code }) => code === text);
      return candidate ? productPicture(candidate) : null;
    },
    () => found.index,
    true,
  );
}

/**
 * @param {Context} context @param {Picture} picture @param {() => number|null} step where in the walk it is answered
 * @param {boolean} [short] whether its answers are so short that two stand side by side
 * @returns {Figure}
 */
function drawChoices({ body, block, deed: begun, done, say }, picture, step, short = false) {
  const { choices } = block;
  const right = need(
    choices.find((choice) => choice.right),
    block,
  );
  let deed = begun;
  const question = mountQuestion("Answers", {
    choose(key) {
      set(answered(deed, key, key === right.text));
      say(question.root.querySelector(".answer-says")?.textContent ?? "");
    },
    show: () => set(revealed(deed, right.text)),
    again: () => set(UNDONE),
  });
  question.root.classList.toggle("short-answers", short);
  body.replaceChildren(question.root);

  /** @param {Deed} next */
  function set(next) {
    deed = next;
    done(deed);
    draw();
  }

  function draw() {
    const answers = choices.map(({ text, answer }) => ({ key: text, words: () => copies(answer) }));
    const chosen = choices.find(({ text }) => text === deed.given);
    const drawn = chosen ? picture(chosen, right) : null;
    const words = chosen ? el("p", {}, ...copies(chosen.why)) : null;
    question.update(
      answers,
      right.text,
      deed,
      [words, drawn].filter((part) => part !== null),
    );
  }
  draw();
  return {
    update: () => {},
    redraw: draw,
    spot() {
      const at = step();
      return at === null ? null : { step: at };
    },
    unmount: question.unmount,
  };
}

/** @type {Picture} */
function shapesOf(chosen, right) {
  const [one, other] = [chosen, right].map(({ shape }) => ({ code: "", words: "", why: "", shape: shape ?? null }));
  return shapeBoxes(one, other);
}

/** @param {Node[]} nodes @returns {Node[]} */
function copies(nodes) {
  return nodes.map((node) => node.cloneNode(true));
}
