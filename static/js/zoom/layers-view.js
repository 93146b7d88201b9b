import { colourOf, inkOn, slot, table } from "../shared/colour-scale.js";
import { cellText } from "../shared/format.js";
import { isExact } from "./layers.js";
import { dataOf, scaleOf, valueIn } from "./pooling.js";
import { cellsIn } from "./viewport.js";
/** @typedef {import("../shared/colour-scale.js").Theme} Theme */
/** @typedef {import("./layers.js").Layer} Layer */
/** @typedef {import("./layers.js").Layers} Layers */
/** @typedef {import("./viewport.js").View} View */
/** @typedef {import("./pooling.js").Pooling} Pooling */
/** @typedef {{pooling: Pooling, theme: Theme, width: number, height: number}} Look */

const NUMBER_CELL = { width: 46, height: 17 };

/** @type {WeakMap<Layer, {key: string, canvas: HTMLCanvasElement}>} */
const bitmaps = new WeakMap();

/**
 * @param {Layer} layer @param {Pooling} pooling @param {number} max @param {Theme} theme
 * @returns {HTMLCanvasElement} one pixel for each cell or block
 */
function bitmapOf(layer, pooling, max, theme) {
  const key = `${isExact(layer) ? "" : pooling} ${max} ${theme}`;
  const known = bitmaps.get(layer);
  if (known?.key === key) return known.canvas;
  const canvas = known?.canvas ?? document.createElement("canvas");
  [canvas.width, canvas.height] = [layer.cols, layer.rows];
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = pen.createImageData(layer.cols, layer.rows);
  const [data, colours] = [dataOf(layer, pooling), table(theme)];
  for (let i = 0, at = 0; i < data.length; i += 1, at += 4) {
    const colour = slot(data[i], max) * 3;
    image.data[at] = colours[colour];
    image.data[at + 1] = colours[colour + 1];
    image.data[at + 2] = colours[colour + 2];
    image.data[at + 3] = 255;
  }
  pen.putImageData(image, 0, 0);
  bitmaps.set(layer, { key, canvas });
  return canvas;
}

/**
 * Draws a view of the layers.
 * @param {HTMLCanvasElement} canvas @param {Layers} layers @param {View} view @param {Look} look
 */
export function paint(canvas, layers, view, look) {
  const { width, height, pooling, theme } = look;
  const ratio = Math.min(2, devicePixelRatio || 1);
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.imageSmoothingEnabled = false;
  const max = scaleOf(layers, view, pooling);
  for (const layer of layers.drawn(view)) blit(pen, layer, bitmapOf(layer, pooling, max, theme), view, look);
  const best = layers.best(view);
  if (isExact(best) && width / view.cols >= NUMBER_CELL.width && height / view.rows >= NUMBER_CELL.height)
    writeNumbers(pen, layers, best, view, max, look);
}

/**
 * @param {CanvasRenderingContext2D} pen @param {Layer} layer @param {HTMLCanvasElement} bitmap @param {View} view
 * @param {Look} look only the part that is seen
 */
function blit(pen, { cells: [row0, row1, col0, col1], rows, cols }, bitmap, view, { width, height }) {
  const [across, down] = [(col1 - col0) / cols, (row1 - row0) / rows];
  const left = Math.max(0, Math.floor((view.col - col0) / across));
  const top = Math.max(0, Math.floor((view.row - row0) / down));
  const right = Math.min(cols, Math.ceil((view.col + view.cols - col0) / across));
  const bottom = Math.min(rows, Math.ceil((view.row + view.rows - row0) / down));
  if (right <= left || bottom <= top) return;
  const [x, y] = [width / view.cols, height / view.rows];
  pen.drawImage(
    bitmap,
    left,
    top,
    right - left,
    bottom - top,
    (col0 + left * across - view.col) * x,
    (row0 + top * down - view.row) * y,
    (right - left) * across * x,
    (bottom - top) * down * y,
  );
}

/**
 * @param {CanvasRenderingContext2D} pen @param {Layers} layers @param {Layer} layer @param {View} view
 * @param {number} max @param {Look} look
 */
function writeNumbers(pen, layers, layer, view, max, { width, height, pooling, theme }) {
  const [x, y] = [width / view.cols, height / view.rows];
  const [row0, row1, col0, col1] = cellsIn(view, layers.sheet);
  pen.font = `${Math.min(14, Math.floor(Math.min(y * 0.6, x / 4.6)))}px monospace`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  for (let row = row0; row < row1; row += 1) {
    for (let col = col0; col < col1; col += 1) {
      const value = valueIn(layer, pooling, row, col);
      pen.fillStyle = inkOn(colourOf(value, max, theme));
      pen.fillText(cellText(value), (col + 0.5 - view.col) * x, (row + 0.5 - view.row) * y);
    }
  }
}
