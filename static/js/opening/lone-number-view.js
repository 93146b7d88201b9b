import { numberText } from "../shared/format.js";
/** @typedef {import("./cells.js").Cells} Cells */
/** @typedef {import("./scene-view.js").Graph} Graph */

/** Its colour says no more than its sign: full colour is for what is large beside others. */
export const LONE = 0.45;
/** In less room some would be written and some not. */
const ROOM = 30;
/** How it is written, best first: digits, and the size of type. */
const WAYS = [3, 2].flatMap((digits) => [14, 12, 10].map((type) => [digits, type])).concat([[2, 9]]);

/** @param {Cells|null} cells @returns {boolean} whether there is one number, and nothing to compare it with */
export function isLone(cells) {
  return cells?.data.length === 1;
}

/**
 * A number that is alone is written, where there is room for it.
 * @param {Graph} stage @param {Cells|null} cells @param {{x: number, y: number, size: number}} at @param {number} shown
 */
export function drawLoneNumber({ context, palette }, cells, { x, y, size }, shown) {
  if (!cells || !isLone(cells) || size < ROOM || shown <= 0) return;
  const value = cells.data[0];
  const way = WAYS.find(([digits, type]) => {
    context.font = `600 ${type}px ${palette.mono}`;
    return context.measureText(numberText(value, digits)).width <= size - 4;
  });
  if (!way) return;
  context.globalAlpha = shown;
  context.fillStyle = palette.ink.ink;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(numberText(value, way[0]), x, y);
}
