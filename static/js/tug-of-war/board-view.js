import { colourOf } from "../shared/colour-scale.js";
import { drawnOf } from "../walk/live.js";
import { peakOf } from "../walk/picture-peak.js";
import { LABEL, cellWidth, focusOf } from "./board.js";
import { rootScale } from "../shared/dom/root-scale.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("./board.js").Measure} Measure */
/** @typedef {import("./board.js").Names} Names */

/**
 * @param {HTMLCanvasElement} canvas @param {Tensor} tensor @param {Names} names @param {Frame} frame
 * @param {Measure} measure @param {number} room @returns {number} the width of a cell
 */
export function drawBoard(canvas, tensor, names, frame, measure, room) {
  const { gutter, head, row } = measure;
  const { rows, cols } = tensor.grid;
  const cell = cellWidth(measure, cols, room, rootScale());
  const pen = penOn(canvas, gutter + cols * cell, head + rows * row);
  writeNames(pen, names, focusOf(frame, tensor), measure, cell);
  fillCells(pen, tensor, frame, measure, cell);
  return cell;
}

/** @param {HTMLCanvasElement} canvas @param {number} width @param {number} height */
function penOn(canvas, width, height) {
  const ratio = Math.min(3, devicePixelRatio || 1);
  canvas.style.cssText = `width:${width}px;height:${height}px`;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.scale(ratio, ratio);
  return pen;
}

/** @param {string} name of a colour */
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name);
}

/**
 * @param {CanvasRenderingContext2D} pen @param {Names} names @param {number} focus @param {Measure} measure
 * @param {number} cell
 */
function writeNames(pen, { rows, cols }, focus, { gutter, head, type, row: height }, cell) {
  pen.font = `${type}px monospace`;
  pen.textBaseline = "middle";
  pen.fillStyle = colour("--muted");
  pen.textAlign = "center";
  if (cell >= 7 && Math.max(...cols.map((name) => name.length)) * type * 0.6 < cell + 4)
    cols.forEach((name, col) => pen.fillText(name, gutter + (col + 0.5) * cell, head / 2));
  if (!gutter) return;
  const every = Math.ceil(LABEL / height);
  pen.textAlign = "right";
  rows.forEach((name, row) => {
    if (row % every === focus % every) pen.fillText(name, gutter - 8, head + (row + 0.5) * height);
  });
}

/**
 * @param {CanvasRenderingContext2D} pen @param {Tensor} tensor @param {Frame} frame @param {Measure} measure
 * @param {number} cell
 */
function fillCells(pen, tensor, frame, { gutter, head, row: height }, cell) {
  const { rows, cols } = tensor.grid;
  const { walk, node, state } = frame;
  const drawn = drawnOf(frame, tensor);
  const peak = peakOf(walk, { tensor: node.name, of: "gradient" }, drawn, state.enlarged);
  pen.strokeStyle = colour("--ink");
  for (let row = 0; row < rows; row += 1) {
    const target = node.targets?.[row] ?? -1;
    for (let col = 0; col < cols; col += 1) {
      const box = /** @type {const} */ ([gutter + col * cell, head + row * height, cell - 1, height - 1]);
      pen.fillStyle = `rgb(${colourOf(drawn.data[row * cols + col], peak, state.theme).join(",")})`;
      pen.fillRect(...box);
      if (col === target) pen.strokeRect(...box);
    }
  }
}
