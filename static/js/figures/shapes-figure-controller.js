import { shapeText } from "../shared/format.js";
import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { stepAt } from "./block.js";
import { need, UNDONE } from "./drawing.js";
import { answered, revealed } from "./question.js";
import { mountQuestion } from "./question-view.js";
/** @typedef {import("../walk/types.js").Candidate} Candidate */
/** @typedef {import("./drawing.js").Context} Context */
/** @typedef {import("./drawing.js").Deed} Deed */
/** @typedef {import("./drawing.js").Figure} Figure */

const UNIT = { side: 64, cell: 16, least: 8 };

/**
 * Shape check: every order and transpose of a matrix product, each to be tried; those that fit by shape alone are told
 * apart by their letters.
 * @param {Context} context @returns {Figure}
 */
export function drawShapes({ body, block, walk: first, deed: begun, done, say }) {
  let walk = first;
  const target = block.argument.replace(/^d(?=\w)/, "");
  const step = need(stepAt(walk, "backward", target), block);
  const found = walk.steps[step];
  const candidates = found.direction === "backward" ? found.candidates : [];
  const own = need(
    candidates.find((one) => one.own),
    block,
  );
  const { variable, shape } = walk.node(found.node);
  let deed = begun;
  const question = mountQuestion(`Which product is d${variable}?`, {
    choose(key) {
      set(answered(deed, key, key === own.code));
      say(question.root.querySelector(".answer-says p")?.textContent ?? "");
    },
    show: () => set(revealed(deed, own.code)),
    again: () => set(UNDONE),
  });
  body.replaceChildren(
    el(
      "p",
      { class: "question-lead" },
      ...prose(`\`d${variable}\` must be ${shapeText(shape)}, like \`${variable}\`.`),
    ),
    question.root,
  );

  /** @param {Deed} next */
  function set(next) {
    deed = next;
    done(deed);
    draw();
  }

  function draw() {
    const answers = candidates.map((one) => ({ key: one.code, words: () => [el("code", {}, one.code)] }));
    const chosen = candidates.find(({ code }) => code === deed.given);
    const words = chosen ? [el("p", {}, ...prose(candidateWords(chosen, variable, shape))), boxes(chosen)] : [];
    question.update(answers, own.code, deed, words);
  }
  draw();
  return {
    update(next) {
      walk = next;
    },
    redraw: draw,
    spot: () => ({ step }),
    unmount: question.unmount,
  };
}

/** @param {Candidate} candidate @param {string} variable @param {number[]} shape @returns {string} in Markdown */
export function candidateWords({ code, left, right, result, fits, own, why }, variable, shape) {
  const needed = `\`d${variable}\` must be ${shapeText(shape)}`;
  const product = `${shapeText(left)} @ ${shapeText(right)}`;
  if (!result) {
    const [inner, outer] = [left[left.length - 1], right[right.length - 2] ?? right[0]];
    return `${product} cannot be multiplied: the inner sizes are ${inner} and ${outer}.`;
  }
  if (!fits) return `${product} gives ${shapeText(result)}, but ${needed}.`;
  if (own) return `\`${code}\`: ${product} gives ${shapeText(result)}. ${why}`.trim();
  return `The shape ${shapeText(result)} fits, but the letters don’t: ${why}`;
}

/** @param {Candidate} candidate @returns {HTMLElement} both factors and what comes out, in proportion */
function boxes({ left, right, result, own }) {
  const all = [left, right, ...(result ? [result] : [])];
  const unit = Math.min(UNIT.cell, UNIT.side / Math.max(...all.flat(), 1));
  const box = (/** @type {number[]} */ shape, /** @type {string} */ state) => {
    const [rows, cols] = shape.length < 2 ? [1, shape[0] ?? 1] : shape.slice(-2);
    const [width, height] = [cols, rows].map((size) => Math.max(UNIT.least, Math.round(size * unit)));
    return el(
      "figure",
      { class: state },
      el("span", { class: "shape-box", style: `width:${width}px;height:${height}px` }),
      el("figcaption", {}, shapeText(shape)),
    );
  };
  return el(
    "div",
    { class: "shape-product", "aria-hidden": "true" },
    box(left, ""),
    "@",
    box(right, ""),
    ...(result ? ["=", box(result, own ? "is-right" : "is-chosen")] : ["✕"]),
  );
}
