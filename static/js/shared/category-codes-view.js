import { codeAt, codeTint } from "./category-codes.js";
import { colourOf, inkOn } from "./colour-scale.js";
import { gridOf } from "./tensor.js";
/** @typedef {import("./tensor.js").Tensor} Tensor */
/** @typedef {import("./heatmap-view.js").Look} Look */

const GLYPH = 0.62;
const FILL = 0.9;
const FONT = { least: 8, most: 14 };

/**
 * Whole numbers stand for something else, such as letters: they are written into the cells, on neutral ground; into
 * those of some rows where rows are narrow, and where there is no room at all, equal ones have the same tint.
 * @param {HTMLCanvasElement} canvas @param {Tensor} tensor @param {Look} look
 */
export function drawCodes(canvas, tensor, look) {
  const { rows, cols } = gridOf(look.stretch ?? tensor.shape);
  const [width, height] = [look.width / cols, look.height / rows];
  const longest = Math.max(1, ...Array.from(tensor.data, (value) => codeAt(tensor, value).length));
  const every = Math.max(1, Math.ceil(FONT.least / FILL / height));
  const size = Math.min(FONT.most, Math.floor(height * every * FILL), Math.floor(width / longest / GLYPH));
  const written = look.numbers === true && size >= FONT.least && every * 2 < rows + 2;
  const ratio = Math.min(3, devicePixelRatio || 1);
  canvas.width = Math.round(look.width * ratio);
  canvas.height = Math.round(look.height * ratio);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.scale(ratio, ratio);
  context.font = `${size}px monospace`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const ground = colourOf(0, 1, look.theme);
  for (let i = 0; i < rows * cols; i += 1) {
    const [row, col] = [Math.floor(i / cols), i % cols];
    const value = tensor.data[(row % tensor.grid.rows) * tensor.grid.cols + (col % tensor.grid.cols)];
    context.fillStyle = `rgb(${ground.join(",")})`;
    context.globalAlpha = 1;
    context.fillRect(col * width, row * height, width + 0.5, height + 0.5);
    if (written) continue;
    context.fillStyle = inkOn(ground);
    context.globalAlpha = codeTint(value);
    context.fillRect(col * width, row * height, width, height);
  }
  if (written) write(context, tensor, { rows, cols, every, width, height, size }, inkOn(ground));
}

/**
 * @param {CanvasRenderingContext2D} context @param {Tensor} tensor
 * @param {{rows: number, cols: number, every: number, width: number, height: number, size: number}} sheet
 * @param {string} ink
 */
function write(context, tensor, { rows, cols, every, width, height, size }, ink) {
  context.fillStyle = ink;
  const { grid } = tensor;
  const fits = rows - size / 2 / height - 0.5; // a line that would be cut at the foot is left out
  for (let row = Math.floor((every - 1) / 2); row <= fits; row += every) {
    for (let col = 0; col < cols; col += 1) {
      const value = tensor.data[(row % grid.rows) * grid.cols + (col % grid.cols)];
      context.fillText(codeAt(tensor, value), (col + 0.5) * width, (row + 0.5) * height + 0.5);
    }
  }
}
