import { codesText } from "../shared/category-codes.js";
import { numberText } from "../shared/format.js";
import { isRounding } from "../walk/picture-peak.js";
import { el } from "../shared/dom/elements.js";
import { drawScale } from "../shared/heatmap-view.js";
import { reachText, scaleEnds } from "../shared/reach.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */

/**
 * How far a tensor's numbers reach, beside the colours that they have.
 * @param {HTMLElement} bar @param {Tensor|null} tensor @param {number} max what full colour stands for
 * @param {Frame} frame @param {boolean} [wide] whether there is room for a number at both ends
 */
export function drawBar(bar, tensor, max, frame, wide = false) {
  if (!tensor) return bar.replaceChildren();
  if (tensor.codes) return bar.replaceChildren(codesText(tensor));
  const { broken } = tensor.stats;
  if (tensor.largest === 0)
    return bar.replaceChildren(broken ? el("span", { class: "broken" }, `${broken} not finite`) : "all zero");
  if (broken) return bar.replaceChildren(reachText(tensor), el("span", { class: "broken" }, `${broken} not finite`));
  bar.title = barTitle(tensor, max, frame);
  bar.replaceChildren(...barParts(tensor, colourStrip(bar, tensor, max, frame.state.theme), wide));
}

/** @param {Tensor} tensor @param {number} max @param {Frame} frame */
function barTitle(tensor, max, { walk, node }) {
  if (isRounding(walk, { tensor: node.name, of: "gradient" }, tensor))
    return "on the colour scale of what arrives: compared with that, this is nothing";
  return max > tensor.largest ? `full colour is ${numberText(max, 3)}` : "colour scale";
}

/**
 * @param {HTMLElement} bar @param {Tensor} tensor @param {number} max
 * @param {import("../shared/colour-scale.js").Theme} theme
 */
function colourStrip(bar, tensor, max, theme) {
  const ends = scaleEnds(tensor);
  const key = [theme, ...ends, max].join();
  const strip = bar.querySelector("canvas") ?? el("canvas", { "aria-hidden": "true" });
  if (strip.dataset.scale !== key) drawScale(strip, theme, ends, max || 1);
  strip.dataset.scale = key;
  return strip;
}

/** @param {Tensor} tensor @param {HTMLElement} strip @param {boolean} wide @returns {(HTMLElement|string)[]} */
function barParts(tensor, strip, wide) {
  const [least, most] = scaleEnds(tensor);
  if (wide) return [numberText(least, 3), strip, numberText(most, 3)];
  return [end(least < 0 ? "−" : "0"), strip, end(most > 0 ? "+" : "0"), reachText(tensor)];
}

/** @param {string} sign @returns {HTMLElement} which end of the colour scale is negative, and which is positive */
function end(sign) {
  return el("span", { class: "end", "aria-hidden": "true" }, sign);
}
