import { drawnSide, ticks } from "../shared/axis-labels.js";
import { numberText, shapeText } from "../shared/format.js";
import { drawHeatmap } from "../shared/heatmap-view.js";
import { reachText } from "../shared/reach.js";
import { gridOf } from "../shared/tensor.js";
import { el } from "../shared/dom/elements.js";
import { rootScale } from "../shared/dom/root-scale.js";
import { directionOf, sumOf } from "./collapse.js";
/** @typedef {import("./collapse.js").Summed} Summed */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("../shared/colour-scale.js").Theme} Theme */
/**
 * `labels` name the places along an axis, `first` is how many places are added by now.
 * @typedef {{summed: Summed, labels: Record<string, string[]>, name: string, theme: Theme, width: number,
 *   first: number}} Shown
 */

const CELL = [64, 32];
const GUTTER = 92;
const HEIGHT = 260;
const LINE = 11;

/** @param {Shown} shown @returns {HTMLElement} what is summed, what is added by now, and what it adds up to */
export function drawSum({ summed, labels, name, theme, width, first }) {
  const { from, axes, keepdim, result, code } = summed;
  const [axis] = axes;
  const down = directionOf(from, axis) === "down";
  const all = from.shape[axis];
  const partial = first >= all ? result : sumOf(from, axes, keepdim, first);
  const { rows, cols } = gridOf(from.shape);
  const scale = rootScale();
  const room = width - GUTTER - (down ? 0 : 130);
  const unit = {
    x: Math.max(2, Math.min(CELL[0] * scale, room / cols)),
    y: Math.max(2, Math.min(CELL[1] * scale, HEIGHT / rows)),
  };
  const max = from.largest;
  const look = { theme, numbers: true };
  const size = { width: Math.round(cols * unit.x), height: Math.round(rows * unit.y) };
  const whole = el("canvas", { class: "heat" });
  drawHeatmap(whole, from, { ...look, ...size, max });
  const sum = el("canvas", { class: "heat" });
  const sumSize = down ? { width: size.width, height: thick(unit.y) } : { width: thick(unit.x), height: size.height };
  drawHeatmap(sum, asStrip(partial, down), { ...look, ...sumSize, max: Math.max(result.largest, max) });
  const rest = down
    ? `top:${first * unit.y}px;height:${(all - first) * unit.y}px;left:0;right:0`
    : `left:${first * unit.x}px;width:${(all - first) * unit.x}px;top:0;bottom:0`;
  const words = first >= all ? `${name}, ${shapeText(result.shape)}` : `sum of ${first} of ${all}`;
  return el(
    "div",
    { class: `collapse ${down ? "runs-down" : "runs-across"}` },
    sideOf(summed, labels, size.height),
    el(
      "figure",
      { class: "collapse-from" },
      el("figcaption", {}, el("code", {}, code), ` ${shapeText(from.shape)}`),
      el("div", { class: "collapse-sheet" }, whole, el("div", { class: "collapse-rest", style: rest })),
    ),
    el("p", { class: "collapse-sign", "aria-hidden": "true" }, down ? "Σ ↓" : "Σ →"),
    el("figure", { class: "collapse-to" }, el("figcaption", {}, words), sum, biggest(partial)),
  );
}

/** @param {number} unit @returns {number} of a strip one cell thick */
function thick(unit) {
  return Math.round(Math.max(20, unit));
}

/** @param {Tensor} tensor @param {boolean} down @returns {Tensor} as a row or a column, whatever its shape */
function asStrip(tensor, down) {
  const shape = down ? [1, tensor.size] : [tensor.size, 1];
  return Object.create(tensor, {
    shape: { value: shape },
    grid: { value: { rows: shape[0], cols: shape[1], block: 0 } },
  });
}

/** @param {Tensor} tensor */
function biggest(tensor) {
  const single = tensor.size === 1;
  return el("p", { class: "sheet-scale" }, single ? numberText(tensor.data[0]) : reachText(tensor));
}

/** @param {Summed} summed @param {Record<string, string[]>} labels @param {number} height */
function sideOf({ from, dims }, labels, height) {
  const side = drawnSide(labels, dims, from, "rows");
  const names = side.count > 1 ? ticks(side.count, height, LINE) : [];
  return el(
    "div",
    { class: "collapse-side", "aria-hidden": "true" },
    el("p", {}, side.title ? `↓ ${side.title}` : ""),
    el(
      "div",
      { class: "sheet-rows", style: `height:${height}px` },
      ...names.map((i) => el("span", { style: `top:${((i + 0.5) / side.count) * height}px` }, side.name(i))),
    ),
  );
}
