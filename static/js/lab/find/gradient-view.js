import { el } from "../../shared/dom/elements.js";
import { ARROWS } from "../../shared/arrow-keys.js";
import { numberText } from "../../shared/format.js";
import { drawHeatmap } from "../../shared/heatmap-view.js";
import { Tensor } from "../../shared/tensor.js";
import { beside, boxOfCell, cellUnder } from "../../lens/drawn-cells.js";
/** @typedef {import("../types.js").BugGradient} BugGradient */

const CELL = { least: 5, most: 46 };
const HEIGHT = { cell: 22, most: 320 };

/**
 * A gradient as colours, with one cell chosen: by pointer, or with the arrow keys.
 * @param {BugGradient} look @param {{theme: "light"|"dark", cell: number[], width: number}} at
 * @param {(cell: number[]) => void} choose
 */
export function gradientSheet({ name, gradient }, { theme, cell, width: room }, choose) {
  const tensor = new Tensor(gradient);
  const { rows, cols } = tensor.grid;
  const width = Math.min(room, cols * Math.min(CELL.most, Math.max(CELL.least, room / cols)));
  const height = Math.min(HEIGHT.most, Math.max(HEIGHT.cell, rows * Math.min(HEIGHT.cell, width / cols)));
  const canvas = el("canvas", { class: "heat", "aria-hidden": "true" });
  drawHeatmap(canvas, tensor, { max: tensor.largest, theme, width, height, numbers: true });
  const value = numberText(tensor.at(cell) ?? NaN, 5);
  const place = cell.length ? `${name}[${cell.join(", ")}]` : name;
  const box = boxOfCell({ tensor, stretch: null }, { left: 0, top: 0, width, height }, tensor.flatOf(cell));
  const mark = el("i", {
    class: "chosen",
    style: `left:${box.left}px;top:${box.top}px;width:${box.width}px;height:${box.height}px`,
  });
  const sheet = el(
    "div",
    {
      class: "bug-sheet",
      tabindex: 0,
      role: "application",
      "data-do": "cells",
      "aria-label": `${name} as colours. Arrow keys choose a cell: ${place} is ${value}.`,
      style: `width:${width}px;height:${height}px`,
    },
    canvas,
    mark,
  );
  sheet.addEventListener("click", ({ clientX, clientY }) =>
    choose(cellUnder({ tensor, stretch: null }, sheet.getBoundingClientRect(), { x: clientX, y: clientY })),
  );
  sheet.addEventListener("keydown", (event) => {
    const move = ARROWS[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    choose(beside(tensor, cell, move));
  });
  const told = cell.length ? ` = ${value}. Choose another cell in the picture.` : ` = ${value}`;
  return el("figure", { class: "bug-gradient" }, sheet, el("figcaption", {}, el("code", {}, place), told));
}
