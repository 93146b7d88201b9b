import { drawHeatmap } from "../shared/heatmap-view.js";
import { shapeText } from "../shared/format.js";
import { gridOf } from "../shared/tensor.js";
import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { axisWord, choiceWords, isRight, outcomeOf } from "./axis-choice.js";
import { stepAt } from "./block.js";
import { summedAt } from "./collapse.js";
import { need, UNDONE } from "./drawing.js";
import { answered, revealed } from "./question.js";
import { mountQuestion } from "./question-view.js";
/** @typedef {import("./axis-choice.js").Choice} Choice */
/** @typedef {import("./collapse.js").Summed} Summed */
/** @typedef {import("./drawing.js").Context} Context */
/** @typedef {import("./drawing.js").Figure} Figure */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */

const BOX = { width: 150, height: 120, cell: 26, least: 10 };

/**
 * Pick the axis: which one to sum along, and whether to keep it; every choice shows what comes out of it.
 * @param {Context} context @returns {Figure}
 */
export function drawAxis({ body, block, walk: first, deed: begun, done, theme, say }) {
  const target = block.argument;
  let walk = first;
  const at = () => summedAt(walk, stepAt(walk, "backward", target));
  let summed = need(at(), block);
  const step = summed.step;
  let deed = begun;
  const choices = choicesOf(summed);
  const right = need(
    choices.find((choice) => isRight(summed, choice)),
    block,
  );
  const { variable } = walk.node(summed.node);
  const question = mountQuestion(`Over which axis is d${variable} summed?`, {
    choose(key) {
      set(answered(deed, key, key === keyOf(right)));
      say(question.root.querySelector(".answer-says p")?.textContent ?? "");
    },
    show: () => set(revealed(deed, keyOf(right))),
    again: () => set(UNDONE),
  });
  body.replaceChildren(question.root);

  /** @param {import("./drawing.js").Deed} next */
  function set(next) {
    deed = next;
    done(deed);
    draw();
  }

  /** @returns {Node[]} */
  function words() {
    const chosen = choices.find((choice) => keyOf(choice) === deed.given);
    if (!chosen) return [];
    return [el("p", {}, ...prose(choiceWords(walk, summed, chosen))), outcomes(chosen)];
  }

  /** @param {Choice} chosen what goes in, what comes out, and beside a wrong one the shape that it must have */
  function outcomes(chosen) {
    const ok = isRight(summed, chosen);
    const max = Math.max(summed.from.largest, summed.result.largest);
    const sheets = /** @type {[string, Tensor, string][]} */ ([
      ["what arrives", summed.from, ""],
      [ok ? "the sum" : "your sum", ok ? summed.result : outcomeOf(summed, chosen), ok ? "is-right" : "is-chosen"],
      ...(ok ? [] : [[`d${variable}`, summed.result, "is-right"]]),
    ]);
    return el(
      "div",
      { class: "axis-outcomes" },
      ...sheets.map(([title, tensor, state]) => outcome(title, tensor, state, max, theme())),
    );
  }

  function draw() {
    const answers = choices.map((choice) => ({ key: keyOf(choice), words: () => [textOf(summed, choice)] }));
    question.update(answers, keyOf(right), deed, words());
  }
  draw();
  return {
    update(next) {
      walk = next;
      summed = at() ?? summed;
      draw();
    },
    redraw: draw,
    spot: () => ({ step }),
    unmount: question.unmount,
  };
}

/** @param {Summed} summed @returns {Choice[]} each axis, all of them, none; kept and dropped */
export function choicesOf({ from, keepdim }) {
  const axes = from.shape.map((_, axis) => [axis]);
  const all = from.shape.length > 1 ? [from.shape.map((_, axis) => axis)] : [];
  const kept = [...axes, ...all].flatMap((one) => [
    { axes: one, keepdim: false },
    { axes: one, keepdim: true },
  ]);
  // of a vector there is nothing to keep that a reader would ask for
  const asked = from.shape.length > 1 || keepdim ? kept : kept.filter((one) => !one.keepdim);
  return [...asked, { axes: [], keepdim: true }];
}

/** @param {Choice} choice */
function keyOf({ axes, keepdim }) {
  return axes.length ? `${axes.join("+")}${keepdim ? " kept" : ""}` : "none";
}

/** @param {Summed} summed @param {Choice} choice */
function textOf(summed, { axes, keepdim }) {
  if (!axes.length) return "no sum at all";
  const named = axes.map((axis) => axisWord(summed, axis)).join(" and ");
  return `${named}${keepdim ? ", kept with length 1" : ""}`;
}

/** @param {string} title @param {Tensor} tensor @param {string} state @param {number} max @param {"light"|"dark"} theme */
function outcome(title, tensor, state, max, theme) {
  const { rows, cols } = gridOf(tensor.shape);
  const unit = Math.min(BOX.cell, BOX.width / cols, BOX.height / rows);
  const size = { width: Math.max(BOX.least, cols * unit), height: Math.max(BOX.least, rows * unit) };
  const canvas = el("canvas", { class: "heat" });
  drawHeatmap(canvas, tensor, { max, theme, ...size });
  return el(
    "figure",
    { class: state },
    canvas,
    el("figcaption", {}, el("span", {}, title), el("code", {}, shapeText(tensor.shape))),
  );
}
