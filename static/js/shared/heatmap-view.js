import { colourOf, inkOn, slot, table } from "./colour-scale.js";
import { cellText } from "./format.js";
import { gridOf } from "./tensor.js";
import { drawCodes } from "./category-codes-view.js";
/** @typedef {import("./tensor.js").Tensor} Tensor */
/** @typedef {import("./colour-scale.js").Theme} Theme */
/**
 * @typedef {{max: number, theme: Theme, width: number, height: number, stretch?: number[]|null, numbers?: boolean,
 *   type?: number, focus?: number|null}} Look `type`: the largest that a number in a cell may be, in pixels; `focus`:
 *   the row that is written in any case, where letters have no room in each
 */

const COPY_ALPHA = 105;
const NUMBER_CELL = { width: 40, height: 17 };
const TYPE = 14;

/**
 * Draws a tensor as colours: one canvas pixel per cell, enlarged by CSS, or with its numbers where they fit.
 * @param {HTMLCanvasElement} canvas @param {Tensor} tensor @param {Look} look
 */
export function drawHeatmap(canvas, tensor, look) {
  const sheet = gridOf(look.stretch ?? tensor.shape);
  canvas.style.width = `${look.width}px`;
  canvas.style.height = `${look.height}px`;
  if (tensor.codes) drawCodes(canvas, tensor, look);
  else if (look.numbers && numbersFit(sheet, look)) drawNumbers(canvas, tensor, look, sheet);
  else drawPixels(canvas, tensor, look, sheet);
}

/** @param {{rows: number, cols: number}} sheet @param {{width: number, height: number}} size */
export function numbersFit(sheet, size) {
  return size.width / sheet.cols >= NUMBER_CELL.width && size.height / sheet.rows >= NUMBER_CELL.height;
}

/**
 * @param {number[]} shape @param {number[]|null|undefined} stretch
 * @returns {(row: number, col: number) => number} flat source cell
 */
function sourceOf(shape, stretch) {
  const own = gridOf(shape);
  if (!stretch) return (row, col) => row * own.cols + col;
  return (row, col) => (row % own.rows) * own.cols + (col % own.cols);
}

/**
 * @param {HTMLCanvasElement} canvas @param {Tensor} tensor @param {Look} look
 * @param {{rows: number, cols: number}} sheet
 */
function drawPixels(canvas, tensor, look, sheet) {
  const { rows, cols } = sheet;
  if (rows * cols === 0) return;
  const { data } = tensor;
  const image = new ImageData(cols, rows);
  const colours = table(look.theme);
  const source = sourceOf(tensor.shape, look.stretch);
  const own = tensor.grid;
  for (let row = 0, at = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1, at += 4) {
      const alpha = row >= own.rows || col >= own.cols ? COPY_ALPHA : 255;
      setPixel(image, at, colours, slot(data[source(row, col)], look.max), alpha);
    }
  }
  showImage(canvas, image);
}

/** @param {ImageData} image @param {number} at @param {Uint8Array} colours @param {number} row @param {number} alpha */
function setPixel({ data }, at, colours, row, alpha) {
  data[at] = colours[3 * row];
  data[at + 1] = colours[3 * row + 1];
  data[at + 2] = colours[3 * row + 2];
  data[at + 3] = alpha;
}

/** @param {HTMLCanvasElement} canvas keeps its memory where it has this size already @param {ImageData} image */
function showImage(canvas, image) {
  const { width, height } = image;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")).putImageData(image, 0, 0);
}

/**
 * @param {HTMLCanvasElement} canvas @param {Tensor} tensor @param {Look} look
 * @param {{rows: number, cols: number}} sheet
 */
function drawNumbers(canvas, tensor, look, sheet) {
  const ratio = Math.min(3, devicePixelRatio || 1);
  canvas.width = Math.round(look.width * ratio);
  canvas.height = Math.round(look.height * ratio);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.scale(ratio, ratio);
  const [width, height] = [look.width / sheet.cols, look.height / sheet.rows];
  const source = sourceOf(tensor.shape, look.stretch);
  context.font = `${Math.min(look.type ?? TYPE, Math.floor(Math.min(height * 0.6, width / 4.6)))}px monospace`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (let row = 0; row < sheet.rows; row += 1) {
    for (let col = 0; col < sheet.cols; col += 1) {
      const value = tensor.data[source(row, col)];
      const colour = colourOf(value, look.max, look.theme);
      context.globalAlpha = row >= tensor.grid.rows || col >= tensor.grid.cols ? COPY_ALPHA / 255 : 1;
      context.fillStyle = `rgb(${colour.join(",")})`;
      context.fillRect(col * width, row * height, width + 0.5, height + 0.5);
      context.fillStyle = inkOn(colour);
      context.fillText(cellText(value), (col + 0.5) * width, (row + 0.5) * height + 0.5);
    }
  }
}

/**
 * Draws the colours of the numbers between two ends, where full colour stands for `max`.
 * @param {HTMLCanvasElement} canvas @param {Theme} theme @param {[number, number]} [ends] @param {number} [max]
 */
export function drawScale(canvas, theme, [least, most] = [-1, 1], max = 1) {
  const image = new ImageData(101, 1);
  const colours = table(theme);
  for (let i = 0; i <= 100; i += 1) setPixel(image, i * 4, colours, slot(least + ((most - least) * i) / 100, max), 255);
  showImage(canvas, image);
}
