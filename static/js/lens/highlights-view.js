import { outline } from "./highlights.js";
import { gridOf, unravel } from "../shared/tensor.js";
import { hideLayer, showCanvas } from "./layers-view.js";
/** @typedef {import("./lens.js").Term} Term */
/** @typedef {import("./pickable-cells-view.js").Map} Map */

/** @type {WeakMap<HTMLCanvasElement, string>} what lights were drawn from: they stay while numbers move */
const LIT = new WeakMap();

/**
 * Outlines the cells through which an open number comes.
 * @param {Map} map @param {Pick<Term, "cell">[]} terms
 * @param {Pick<Term, "cell">|null} hot
 * @param {string} theme whose colours it has
 */
export function drawLights(map, terms, hot, theme) {
  if (!terms.length) return hideLayer(map.element, "lights");
  const canvas = showCanvas(map.element, "lights");
  const { tensor, stretch, width, height } = map;
  const key = JSON.stringify([terms.map(({ cell }) => cell), hot?.cell, tensor.shape, stretch, width, height, theme]);
  if (LIT.get(canvas) === key) return;
  LIT.set(canvas, key);
  const own = tensor.grid;
  const sheet = gridOf(stretch ?? tensor.shape);
  const ratio = Math.min(3, devicePixelRatio || 1);
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.cssText = `width:${width}px;height:${height}px`;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.scale(ratio, ratio);
  const unit = { x: width / sheet.cols, y: height / sheet.rows };
  const style = getComputedStyle(canvas);
  const [ink, ground] = [style.getPropertyValue("--ink"), style.getPropertyValue("--ground")];
  const lit = new Set(terms.map((term) => tensor.flatOf(term.cell)));
  stroke(pen, outline(lit, own.rows, own.cols), unit, [
    [ground, 3],
    [ink, 1.25],
  ]);
  if (hot && terms.includes(hot))
    stroke(pen, outline(new Set([tensor.flatOf(hot.cell)]), own.rows, own.cols), unit, [
      [ground, 5],
      [ink, 2.5],
    ]);
}

/** How far an outline may reach beyond its picture. */
const MARGIN = 4;

/**
 * Outlines the cells of a picture that belong to the one that is pointed at.
 * @param {Map} map @param {import("./pickable-cells-view.js").Pointed|null} pointed
 */
export function drawAnswer(map, pointed) {
  const { element, tensor, stretch, width, height } = map;
  const cells = pointed ? pointed.answer.cellsIn(map) : new Set();
  const here = pointed !== null && pointed.map.element === element;
  const alone = tensor.size === 1 && !stretch;
  element.classList.toggle("answers", cells.size > 0 && alone);
  element.classList.toggle("is-pointed", here && alone);
  if (cells.size === 0 || alone) return hideLayer(element, "answer");
  const canvas = showCanvas(element, "answer");
  const sheet = gridOf(stretch ?? tensor.shape);
  const ratio = Math.min(3, devicePixelRatio || 1);
  canvas.width = Math.round((width + 2 * MARGIN) * ratio);
  canvas.height = Math.round((height + 2 * MARGIN) * ratio);
  canvas.style.cssText = `width:${width + 2 * MARGIN}px;height:${height + 2 * MARGIN}px`;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.scale(ratio, ratio);
  pen.translate(MARGIN, MARGIN);
  const unit = { x: width / sheet.cols, y: height / sheet.rows };
  const style = getComputedStyle(canvas);
  const [ink, ground] = [style.getPropertyValue("--ink"), style.getPropertyValue("--ground")];
  const own = pointed && here ? drawnOn(map, new Set([tensor.flatOf(pointed.cell)]), sheet) : new Set();
  const lit = drawnOn(map, drawnCells(tensor, cells), sheet);
  surround(pen, lit, sheet.cols, unit, [
    [ground, 2.25],
    [ink, 1.5],
  ]);
  surround(pen, own, sheet.cols, unit, [
    [ground, 3.5],
    [ink, 2.5],
  ]);
}

/**
 * @param {import("../shared/tensor.js").Tensor} tensor @param {Set<number>} cells of the whole
 * @returns {Set<number>} as drawn: in a tile the blocks that they lie in
 */
function drawnCells(tensor, cells) {
  return tensor.block ? new Set([...cells].map((flat) => tensor.flatOf(unravel(tensor.whole, flat)))) : cells;
}

/**
 * @param {Map} map @param {Set<number>} cells of its own grid @param {{rows: number, cols: number}} sheet
 * @returns {Set<number>} where they stand on the sheet, copies too
 */
function drawnOn({ tensor, stretch }, cells, sheet) {
  if (!stretch) return cells;
  const { rows, cols } = tensor.grid;
  const found = new Set();
  for (const flat of cells)
    for (let row = Math.floor(flat / cols); row < sheet.rows; row += rows)
      for (let col = flat % cols; col < sheet.cols; col += cols) found.add(row * sheet.cols + col);
  return found;
}

/**
 * A line around cells that covers none of them, however small they are.
 * @param {CanvasRenderingContext2D} pen @param {Set<number>} cells @param {number} cols of the sheet
 * @param {{x: number, y: number}} unit @param {[string, number][]} pens colour and how far it reaches, widest first
 */
function surround(pen, cells, cols, unit, pens) {
  const each = (/** @type {"fillRect"|"clearRect"} */ act, /** @type {number} */ beyond) => {
    for (const flat of cells) {
      const [x, y] = [(flat % cols) * unit.x, Math.floor(flat / cols) * unit.y];
      pen[act](x - beyond, y - beyond, unit.x + 2 * beyond, unit.y + 2 * beyond);
    }
  };
  for (const [colour, beyond] of pens) {
    pen.fillStyle = colour;
    each("fillRect", beyond);
  }
  each("clearRect", 0);
}

/**
 * @param {CanvasRenderingContext2D} pen @param {ReturnType<typeof outline>} sides @param {{x: number, y: number}} unit
 * @param {[string, number][]} pens colour and width, one over the other
 */
function stroke(pen, sides, unit, pens) {
  pen.beginPath();
  for (const [fromCol, fromRow, toCol, toRow] of sides) {
    pen.moveTo(fromCol * unit.x, fromRow * unit.y);
    pen.lineTo(toCol * unit.x, toRow * unit.y);
  }
  pen.lineCap = "square";
  for (const [colour, width] of pens) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.stroke();
  }
}
