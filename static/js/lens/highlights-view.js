import { outline } from "./highlights.js";
import { gridOf } from "../shared/tensor.js";
/** @typedef {import("./lens.js").Term} Term */
/** @typedef {import("./pickable-cells-view.js").Map} Map */

/**
 * Outlines the cells through which an open number comes.
 * @param {HTMLCanvasElement} canvas @param {Map} map @param {Term[]} terms @param {Term|null} hot
 */
export function drawLights(canvas, map, terms, hot) {
  canvas.hidden = terms.length === 0;
  if (!terms.length) return;
  const { tensor, stretch, width, height } = map;
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
