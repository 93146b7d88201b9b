import { within } from "./light.js";
import { fixedText, percentText } from "../shared/format.js";
/** @typedef {import("./scene-view.js").Stage} Stage */

/** The columns before the end at which the probabilities are there: they rise with the light. */
const RISE = 3;

/** What the network expects next, letter by letter, and how large the loss is. @param {Stage} stage */
export function drawBars({ context, scene, later, light, geometry, palette }) {
  const { x, y, width, height } = geometry.bars;
  const { letters, right } = scene;
  const shown = within((light.front - scene.columns + RISE) / (RISE - 1));
  const most = Math.max(...later.flatMap(({ probs }) => Array.from(probs)), 1e-9);
  const step = width / letters.length;
  const type = Math.max(10, Math.min(15, step * 0.5));
  const head = type * 1.5;
  context.textAlign = "center";
  letters.forEach((letter, i) => {
    const part = between(
      later.map(({ probs }) => probs[i]),
      light.taken,
    );
    const tall = (height - head) * (part / most) * shown;
    const left = x + i * step;
    const mine = i === right;
    context.globalAlpha = 1;
    context.fillStyle = mine ? palette.ink.ok : palette.ink.rule;
    context.fillRect(left + step * 0.14, y + height - tall, step * 0.72, Math.max(tall, 1));
    context.fillStyle = mine ? palette.ink.ok : palette.ink.muted;
    context.font = `${mine ? 700 : 400} ${type}px ${palette.mono}`;
    context.textBaseline = "top";
    context.fillText(letter, left + step / 2, y + height + 5);
    if (!mine || shown === 0) return;
    context.globalAlpha = shown;
    context.textBaseline = "alphabetic";
    context.fillText(percentText(part), Math.max(left + step / 2, x + 20), y + height - tall - 5);
  });
  drawLoss({ context, palette, later, light }, { x, y, width }, shown, type);
  drawKind({ context, palette, light, scene }, { x, y }, type);
}

/**
 * What the boxes hold that the light has come to: on the way back the same places have other numbers.
 * @param {Pick<Stage, "context"|"palette"|"light"|"scene">} stage @param {{x: number, y: number}} strip
 * @param {number} type
 */
function drawKind({ context, palette, light, scene }, { x, y }, type) {
  const back = light.back <= scene.columns;
  context.globalAlpha = within(light.front);
  context.textAlign = "left";
  context.textBaseline = "top";
  context.fillStyle = back ? palette.ink.backward : palette.ink.forward;
  context.font = `600 ${type}px ${palette.sans}`;
  context.fillText(back ? "boxes lit in red: gradients" : "in the boxes: values", x, y);
}

/**
 * @param {Pick<Stage, "context"|"palette"|"later"|"light">} stage @param {{x: number, y: number, width: number}} strip
 * @param {number} shown @param {number} type
 */
function drawLoss({ context, palette, later, light }, { x, y, width }, shown, type) {
  const loss = between(
    later.map((one) => one.loss),
    light.taken,
  );
  context.globalAlpha = shown;
  context.textAlign = "right";
  context.textBaseline = "top";
  context.fillStyle = palette.ink.backward;
  context.font = `600 ${type * 1.15}px ${palette.mono}`;
  context.fillText(`loss ${fixedText(loss, 3)}`, x + width, y);
}

/** @param {number[]} values @param {number} at between two of them @returns {number} */
function between(values, at) {
  const before = Math.min(Math.floor(at), values.length - 1);
  const after = Math.min(before + 1, values.length - 1);
  return values[before] + (values[after] - values[before]) * (at - before);
}
