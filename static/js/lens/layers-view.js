import { el } from "../shared/dom/elements.js";

/** What lies over a picture of a tensor, from the lowest. */
const LAYERS = ["lights", "answer", "reach", "cell-mark"];

/**
 * @param {HTMLElement} picture @param {string} name
 * @returns {HTMLElement|null} null where it has never been shown: most pictures never need theirs
 */
function layerOver(picture, name) {
  return picture.querySelector(`:scope > .${name}`);
}

/** @param {HTMLElement} picture @param {string} name @returns {HTMLElement} */
export function showLayer(picture, name) {
  const layer = layerOver(picture, name) ?? addLayer(picture, name);
  layer.hidden = false;
  return layer;
}

/** @param {HTMLElement} picture @param {string} name @returns {HTMLCanvasElement} one that is drawn */
export function showCanvas(picture, name) {
  return /** @type {HTMLCanvasElement} */ (showLayer(picture, name));
}

/** @param {HTMLElement} picture @param {string} name */
export function hideLayer(picture, name) {
  const layer = layerOver(picture, name);
  if (layer) layer.hidden = true;
}

/** @param {HTMLElement} picture @param {string} name @returns {HTMLElement} */
function addLayer(picture, name) {
  const layer = el(name === "cell-mark" ? "div" : "canvas", { class: name, "aria-hidden": "true" });
  const above = LAYERS.slice(LAYERS.indexOf(name) + 1).map((other) => layerOver(picture, other));
  picture.insertBefore(layer, above.find((other) => other !== null) ?? null);
  return layer;
}
