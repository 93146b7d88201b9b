import { paletteOf } from "../opening/pictures-view.js";
import { drawGraph } from "../opening/scene-view.js";
import { sceneOf } from "../opening/scene.js";
import { smallGeometryOf } from "../opening/geometry.js";
import { asApiError } from "../shared/api.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { onTheme, shownTheme } from "../shell/theme-view.js";
import { requestWalk } from "../walk/walk-api.js";
import { Walk } from "../walk/walk.js";
/** @typedef {import("../opening/scene.js").Scene} Scene */

/** A small picture of each chapter's program, drawn from its walk once it is near: `data-lesson` names it. */
export function mountThumbnails() {
  const undo = cleanups();
  const stopped = new AbortController();
  const places = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".picture[data-lesson]")]);
  /** @type {Map<HTMLElement, Scene>} */
  const drawn = new Map();
  const near = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        show(/** @type {HTMLElement} */ (target));
      }
    },
    { rootMargin: "200px" },
  );
  for (const place of places) near.observe(place);
  undo.add(() => near.disconnect());
  undo.add(() => stopped.abort());
  undo.add(onTheme(() => drawn.forEach((_, place) => show(place))));
  return { unmount: undo.run };

  /** @param {HTMLElement} place */
  function show(place) {
    const scene = drawn.get(place);
    if (!scene) void load(place);
    else if (!draw(place, scene)) near.observe(place); // hidden, on another route: once it is back
  }

  /** @param {HTMLElement} place without a picture the chapter is listed all the same */
  async function load(place) {
    const request = JSON.stringify({ lesson: place.dataset.lesson, exact: false });
    try {
      const scene = sceneOf(new Walk(await requestWalk(request, stopped.signal), request), new Map());
      drawn.set(place, scene);
      show(place);
    } catch (error) {
      if (!stopped.signal.aborted) place.title = asApiError(error, "").problem.message;
    }
  }
}

/**
 * @param {HTMLElement} place @param {Scene} scene all of it lit: what is computed, and how bright its gradients are
 * @returns {boolean} whether there was room for it
 */
function draw(place, scene) {
  const { width, height } = place.getBoundingClientRect();
  if (!width || !height) return false;
  const ratio = Math.min(2, devicePixelRatio || 1);
  const canvas = el("canvas", { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.scale(ratio, ratio);
  const light = { front: scene.columns + 1, back: -2, taken: 0, at: 0, since: 0 };
  const largest = Math.max(...scene.tiles.map(({ norm }) => norm));
  const palette = paletteOf(scene, shownTheme());
  drawGraph({
    context,
    scene,
    light,
    largest,
    palette,
    geometry: smallGeometryOf(scene, { width, height }),
    width,
    height,
  });
  place.replaceChildren(canvas);
  return true;
}
