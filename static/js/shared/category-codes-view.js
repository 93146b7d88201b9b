import { codeAt, codeLines, codeTint } from "./category-codes.js";
import { colourOf, inkOn } from "./colour-scale.js";
import { gridOf } from "./tensor.js";
/** @typedef {import("./tensor.js").Tensor} Tensor */
/** @typedef {import("./heatmap-view.js").Look} Look */
/** @typedef {{rows: number, cols: number}} Sheet */

/**
 * Whole numbers stand for something else, such as letters: they are written into the cells, on neutral ground; into
 * those of some rows where rows are narrow, and where there is no room at all, equal ones have the same tint.
 * @param {HTMLCanvasElement} canvas @param {Tensor} tensor @param {Look} look
 */
export function drawCodes(canvas, tensor, look) {
  const sheet = gridOf(look.stretch ?? tensor.shape);
  const { size, lines } = codeLines(tensor, sheet, look);
  const ratio = Math.min(3, devicePixelRatio || 1);
  canvas.width = Math.round(look.width * ratio);
  canvas.height = Math.round(look.height * ratio);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.scale(ratio, ratio);
  const ground = colourOf(0, 1, look.theme);
  context.fillStyle = `rgb(${ground.join(",")})`;
  context.fillRect(0, 0, look.width, look.height);
  context.fillStyle = inkOn(ground);
  context.font = `${size}px monospace`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const written = look.numbers === true && lines.length > 0;
  (written ? write : tint)(context, tensor, sheet, look, lines);
}

/** @param {Tensor} tensor @param {number} row @param {number} col of a sheet of copies @returns {number} */
function valueAt({ data, grid }, row, col) {
  return data[(row % grid.rows) * grid.cols + (col % grid.cols)];
}

/**
 * @param {CanvasRenderingContext2D} context @param {Tensor} tensor @param {Sheet} sheet @param {Look} look
 * @param {{row: number, y: number}[]} lines
 */
function write(context, tensor, { cols }, { width }, lines) {
  for (const { row, y } of lines)
    for (let col = 0; col < cols; col += 1)
      context.fillText(codeAt(tensor, valueAt(tensor, row, col)), ((col + 0.5) * width) / cols, y + 0.5);
}

/** @param {CanvasRenderingContext2D} context @param {Tensor} tensor @param {Sheet} sheet @param {Look} look */
function tint(context, tensor, { rows, cols }, look) {
  const [width, height] = [look.width / cols, look.height / rows];
  for (let i = 0; i < rows * cols; i += 1) {
    const [row, col] = [Math.floor(i / cols), i % cols];
    context.globalAlpha = codeTint(valueAt(tensor, row, col));
    context.fillRect(col * width, row * height, width, height);
  }
}
