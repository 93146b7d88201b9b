import { geometryOf } from "./geometry.js";
import { lightAt } from "./light.js";
import { paletteOf } from "./pictures-view.js";
import { drawScene } from "./scene-view.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { onTheme, shownTheme } from "../shell/theme-view.js";
/** @typedef {import("./opening-loader.js").Story} Story */

/**
 * A canvas that shows the story at a time, at the size that its place has.
 * @param {HTMLElement} place @param {Story} story
 */
export function mountStage(place, { scene, later, moments }) {
  const undo = cleanups();
  const canvas = el("canvas", { "aria-hidden": "true" });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const largest = Math.max(...scene.tiles.map(({ norm }) => norm));
  let palette = paletteOf(scene, shownTheme());
  let size = { width: 0, height: 0 };
  let geometry = geometryOf(scene, { width: 1200, height: 480 });
  let time = 0;
  const spots = new Map(
    scene.tiles.map(({ name }) => [name, el("span", { class: "opening-tile", "data-tile": name })]),
  );

  function measure() {
    const { width, height } = place.getBoundingClientRect();
    const ratio = Math.min(2, devicePixelRatio || 1);
    size = { width, height };
    Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    geometry = geometryOf(scene, size);
    for (const [name, at] of geometry.tiles) spots.get(name)?.setAttribute("style", styleOf(at));
    update(time);
  }

  /** @param {number} seconds */
  function update(seconds) {
    time = seconds;
    if (!size.width || !size.height) return;
    drawScene({ context, scene, later, light: lightAt(moments, time), geometry, palette, largest, ...size });
  }

  place.replaceChildren(canvas, ...spots.values());
  const watching = new ResizeObserver(measure);
  watching.observe(place);
  undo.add(() => watching.disconnect());
  undo.add(() => place.replaceChildren());
  undo.add(
    onTheme(() => {
      palette = paletteOf(scene, shownTheme());
      update(time);
    }),
  );
  measure();
  return { update, unmount: undo.run };
}

/** @param {{x: number, y: number, size: number}} at @returns {string} where a tensor can be pointed at */
function styleOf({ x, y, size }) {
  return `left:${x - size / 2}px;top:${y - size / 2}px;width:${size}px;height:${size}px`;
}
