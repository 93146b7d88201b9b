import { codeAt, codeTint } from "../model/codes.js";
import { colourOf, inkOn } from "../model/colour.js";
import { gridOf } from "../model/tensor.js";
/** @typedef {import("../model/tensor.js").Tensor} Tensor */
/** @typedef {import("./heatmap.js").Look} Look */

const GLYPH = 0.62;
const FONT = { least: 8, most: 14 };

/**
 * Whole numbers stand for something else, such as letters: they are written into the cells, on neutral ground, and
 * where there is no room for that, equal ones have the same tint.
 * @param {HTMLCanvasElement} canvas @param {Tensor} tensor @param {Look} look
 */
export function drawCodes(canvas, tensor, look) {
  const { rows, cols } = gridOf(look.stretch ?? tensor.shape);
  const [width, height] = [look.width / cols, look.height / rows];
  const longest = Math.max(1, ...Array.from(tensor.data, (value) => codeAt(tensor, value).length));
  const size = Math.min(FONT.most, Math.floor(height * 0.85), Math.floor(width / longest / GLYPH));
  const written = look.numbers === true && size >= FONT.least;
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
    context.fillStyle = inkOn(ground);
    context.globalAlpha = written ? 1 : codeTint(value);
    if (written) context.fillText(codeAt(tensor, value), (col + 0.5) * width, (row + 0.5) * height + 0.5);
    else context.fillRect(col * width, row * height, width, height);
  }
}
