import { drawHeatmap } from "../shared/heatmap-view.js";
import { shapeText } from "../shared/format.js";
import { gridOf } from "../shared/tensor.js";
import { el } from "../shared/dom/elements.js";
import { sumOf } from "./collapse.js";
/** @typedef {import("../shared/colour-scale.js").Theme} Theme */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */

const BOX = { width: 160, height: 120, cell: 26, least: 12 };

/**
 * What is summed, what a choice makes of it, and beside a wrong one what is right.
 * @param {import("./collapse.js").Summed} summed @param {{axes: number[], keepdim?: boolean, right: boolean}} choice
 * @param {Theme} theme @returns {HTMLElement}
 */
export function axisPictures({ from, code, result }, { axes, keepdim = false, right }, theme) {
  const max = Math.max(from.largest, result.largest);
  const sheets = /** @type {[string, Tensor, string][]} */ ([
    [code, from, ""],
    [right ? "the sum" : "your sum", right ? result : sumOf(from, axes, keepdim), right ? "is-right" : "is-chosen"],
    ...(right ? [] : [["the right sum", result, "is-right"]]),
  ]);
  return el("div", { class: "axis-outcomes" }, ...sheets.map(([title, tensor, state]) => sheet(title, tensor, state)));

  /** @param {string} title @param {Tensor} tensor @param {string} state */
  function sheet(title, tensor, state) {
    const { rows, cols } = gridOf(tensor.shape);
    const unit = Math.min(BOX.cell, BOX.width / cols, BOX.height / rows);
    const size = { width: Math.max(BOX.least, cols * unit), height: Math.max(BOX.least, rows * unit) };
    const canvas = el("canvas", { class: "heat" });
    drawHeatmap(canvas, tensor, { max, theme, ...size });
    const caption = el("figcaption", {}, el("span", {}, title), el("code", {}, shapeText(tensor.shape)));
    return el("figure", { class: state }, canvas, caption);
  }
}
