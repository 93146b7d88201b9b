import { slot, table } from "../shared/colour-scale.js";
/** @typedef {import("../shared/colour-scale.js").Theme} Theme */
/** @typedef {import("./cells.js").Cells} Cells */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {{value: HTMLCanvasElement|null, gradient: HTMLCanvasElement|null}} Pictures of a tensor */
/**
 * What is drawn again and again, drawn once for a theme.
 * @typedef {{tiles: Map<string, Pictures>, forward: HTMLCanvasElement, backward: HTMLCanvasElement,
 *   ink: Record<"ink"|"muted"|"hairline"|"ground"|"sunk"|"raised"|"rule"|"forward"|"backward"|"ok", string>,
 *   sans: string, mono: string}} Palette
 */

const GLOW = 96;
const INKS = /** @type {const} */ ([
  ...["ink", "muted", "hairline", "ground", "sunk", "raised", "rule", "forward", "backward", "ok"],
]);

/** @param {Scene} scene @param {Theme} theme @returns {Palette} */
export function paletteOf(scene, theme) {
  const style = getComputedStyle(document.documentElement);
  const of = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  const ink = /** @type {Palette["ink"]} */ (Object.fromEntries(INKS.map((name) => [name, of(name)])));
  const tiles = new Map(
    scene.tiles.map(({ name, value, gradient }) => [
      name,
      { value: pictureOf(value, theme), gradient: pictureOf(gradient, theme) },
    ]),
  );
  const [sans, mono] = [of("sans"), of("mono")];
  return { tiles, ink, sans, mono, forward: glowOf(ink.forward), backward: glowOf(ink.backward) };
}

/** @param {Cells|null} cells @param {Theme} theme one pixel for each cell */
function pictureOf(cells, theme) {
  if (!cells) return null;
  const { rows, cols, data, max } = cells;
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: cols, height: rows });
  const image = new ImageData(cols, rows);
  const colours = table(theme);
  for (let i = 0; i < Math.min(data.length, rows * cols); i += 1) {
    const at = slot(data[i], max) * 3;
    image.data.set([colours[at], colours[at + 1], colours[at + 2], 255], i * 4);
  }
  canvas.getContext("2d")?.putImageData(image, 0, 0);
  return canvas;
}

/** @param {string} colour a spot of light */
function glowOf(colour) {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: GLOW, height: GLOW });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const spot = context.createRadialGradient(GLOW / 2, GLOW / 2, 0, GLOW / 2, GLOW / 2, GLOW / 2);
  for (const [at, part] of /** @type {const} */ ([
    [0, "ff"],
    [0.25, "b0"],
    [0.6, "38"],
    [1, "00"],
  ]))
    spot.addColorStop(at, `${colour}${part}`);
  context.fillStyle = spot;
  context.fillRect(0, 0, GLOW, GLOW);
  return canvas;
}
