import { codesText } from "../shared/category-codes.js";
import { blockOf } from "../shared/axis-labels.js";
import { numberText, shapeText } from "../shared/format.js";
import { el } from "../shared/dom/elements.js";
import { drawHeatmap } from "../shared/heatmap-view.js";
import { colourOf, inkOn } from "../shared/colour-scale.js";
import { reachText } from "../shared/reach.js";
/** @typedef {import("./items.js").Piece} Piece */
/**
 * @typedef {{max: number, width: number, height: number, theme: import("../shared/colour-scale.js").Theme,
 *   rounding: boolean, type?: number, focus?: number|null}} Look the colour scale and the size; `rounding`: it shows
 *   nothing else; `focus`: the row that is an example of all
 */
/** @typedef {{picture: HTMLElement, caption: HTMLElement}} Drawn */

/** @param {Piece} piece @param {Look} look @returns {Drawn} its canvas, or its one number, and what stands below */
export function drawPicture(piece, look) {
  const one = piece.tensor.size === 1 && !piece.stretch;
  const drawn = {
    picture: one ? el("div", { class: "scalar heat" }) : el("canvas", { class: "heat" }),
    caption: el("div", { class: "caption" }),
  };
  repaint(drawn, piece, look);
  return drawn;
}

/** @param {Drawn} drawn earlier, of a piece of the same form @param {Piece} piece @param {Look} look */
export function repaint({ picture, caption }, piece, look) {
  if (picture instanceof HTMLCanvasElement)
    drawHeatmap(picture, piece.tensor, { ...look, stretch: piece.stretch, numbers: true });
  else paintScalar(picture, piece.tensor.data[0], look);
  const parts = captionOf(piece, look.rounding);
  if (caption.textContent !== parts.map((part) => part.textContent).join("")) caption.replaceChildren(...parts);
}

/** @param {HTMLElement} picture @param {number} value @param {Look} look */
function paintScalar(picture, value, { max, theme }) {
  const colour = colourOf(value, max * 2, theme);
  Object.assign(picture.style, { background: `rgb(${colour.join(",")})`, color: inkOn(colour) });
  picture.textContent = numberText(value);
}

/** @param {Piece} piece @param {boolean} rounding @returns {(HTMLElement|Text)[]} */
function captionOf({ shape, tensor }, rounding) {
  const { broken } = tensor.stats;
  const wraps = tensor.codes ? !tensor.codes.names : rounding; // long words under a picture that may be narrow
  const reach = () => `${rounding ? "rounding " : ""}${reachText(tensor)}`;
  return [
    new Text(shapeText(shape)),
    ...(tensor.size > 1
      ? [el("div", { class: wraps ? "wrapped" : null }, tensor.codes ? codesText(tensor) : reach())]
      : []),
    ...(tensor.block ? [el("div", { class: "blocks" }, `blocks of ${blockOf(tensor)}`)] : []),
    ...(broken ? [el("div", { class: "broken" }, `${broken} not finite`)] : []),
  ];
}
