import { drawLights } from "./highlights-view.js";
import { termsIn } from "./highlights.js";
import { boxOfCell, sheetOf } from "./drawn-cells.js";
import { hideLayer, showCanvas, showLayer } from "./layers-view.js";
import { matesOf } from "./mates.js";
import { boxOf, markIn, reachIn } from "../walk/pick.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./lens.js").Term} Term */
/** @typedef {import("./highlights.js").Lights} Lights */
/** @typedef {import("./pickable-cells-view.js").Map} Map */

/**
 * Marks what is picked in every drawn tensor, veils what is not chosen, and lights up what an open number is made of.
 * @param {Frame} frame @param {Map[]} maps @param {Lights|null} lights @param {Term|null} hot
 */
export function drawMarks(frame, maps, lights, hot) {
  const mates = lights ? matesOf(frame, maps, lights, hot) : new Map();
  const { theme } = frame.state;
  for (const map of maps) {
    const { subject } = map;
    const lit = mates.get(map);
    if (lit) drawLights(map, lit.cells, lit.hot, theme);
    else if (!subject) hideLayer(map.element, "lights");
    if (!subject) continue;
    const cell = markIn(frame, subject);
    placeMark(map, cell, frame.pick !== null && frame.state.of !== subject.of);
    drawReach(map, cell, reachIn(frame, subject));
    const terms = lights ? termsIn(lights, subject) : [];
    map.element.classList.toggle("lit", terms.length > 0 && map.tensor.size === 1);
    if (!lit) drawLights(map, map.tensor.size === 1 ? [] : terms, hot, theme);
  }
}

/**
 * @param {Map} map @param {number[]|null} cell @param {boolean} faint where another number of this cell is looked into
 */
function placeMark(map, cell, faint) {
  const flat = cell ? map.tensor.flatOf(cell) : -1;
  if (flat < 0) return hideLayer(map.element, "cell-mark");
  const mark = showLayer(map.element, "cell-mark");
  const { rows, cols } = sheetOf(map);
  const { left, top, width, height } = boxOfCell(map, { left: 0, top: 0, width: map.width, height: map.height }, flat);
  mark.classList.toggle("faint", faint);
  mark.classList.toggle("whole", rows * cols === 1);
  mark.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
}

/**
 * Veils what is not chosen where several cells are.
 * @param {Map} map @param {number[]|null} from @param {number[]|null} to
 */
function drawReach(map, from, to) {
  if (!from || !to) return hideLayer(map.element, "reach");
  const canvas = showCanvas(map.element, "reach");
  const { rows, cols } = map.tensor.grid;
  const sheet = sheetOf(map);
  Object.assign(canvas, { width: sheet.cols, height: sheet.rows });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.fillStyle = getComputedStyle(canvas).color;
  pen.fillRect(0, 0, sheet.cols, sheet.rows);
  const box = boxOf(from, to);
  for (let row = 0; row < rows; row += 1)
    for (let col = 0; col < cols; col += 1)
      if (map.tensor.cellAt(row, col).every((at, axis) => at >= box[axis][0] && at < box[axis][1]))
        pen.clearRect(col, row, 1, 1);
}
