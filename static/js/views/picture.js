import { sceneOf } from "../model/frame.js";
import { numberText, shapeText } from "../model/format.js";
import { boxOf, sheetOf, unitOf } from "../model/sizing.js";
import { el } from "./dom.js";
import { drawHeatmap } from "./heatmap.js";
import { play } from "./motion.js";
import { colourOf, inkOn } from "../model/colour.js";
/** @typedef {import("../model/frame.js").Frame} Frame */
/** @typedef {import("../model/picture.js").Item} Item */
/** @typedef {import("../model/picture.js").Piece} Piece */
/** @typedef {import("../model/picture.js").Sum} Sum */
/** @typedef {import("../model/picture.js").Scene} Scene */
/** @typedef {import("../model/sizing.js").Unit} Unit */
/** @typedef {{unit: Unit, thin: number, peaks: Map<string, number>, frame: Frame}} Paint */

const LABEL = 34;
const CAPTION = 32;
const SUM = 44;

/** The step as an equation of tensors. @param {HTMLElement} root */
export function mountPicture(root) {
  /** @type {(() => void)|null} */
  let stop = null;
  return {
    /** @param {Frame} frame @param {boolean} moved whether this is a new step, so that motion means something */
    update(frame, moved) {
      stop?.();
      const scene = sceneOf(frame);
      const box = el("div", { class: `scene on-${frame.step.direction}`, role: "img", "aria-label": scene.spoken });
      const room = roomFor(root, scene, frame);
      const peaks = peaksOf(scene);
      for (const row of scene.rows) {
        const paint = { unit: unitOf(row, room), thin: room.thin, peaks, frame };
        box.append(el("div", { class: "equation", style: `--tall:${tallest(row, paint)}px` }, ...row.map((item) => drawItem(item, paint))));
      }
      root.replaceChildren(box);
      stop = moved ? play(box, scene.motion) : null;
    },
    unmount() {
      stop?.();
      root.replaceChildren();
    },
  };
}

/** @param {Item[]} row @param {Paint} paint @returns {number} height of the tallest tensor, on whose middle the signs stand */
function tallest(row, paint) {
  const pieces = row.flatMap((item) => (item.type === "sum" && item.down ? [item.from] : piecesOf(item)));
  return Math.max(24, ...pieces.map((piece) => boxOf(sheetOf(piece), paint.unit, paint.thin).height));
}

/** @param {HTMLElement} root @param {Scene} scene @param {Frame} frame @returns {import("../model/sizing.js").Room} */
function roomFor(root, scene, frame) {
  const projector = frame.state.projector;
  const label = projector ? 48 : LABEL;
  const caption = projector ? 8 : CAPTION;
  const down = scene.rows.some((row) => row.some((item) => item.type === "sum" && item.down));
  const height = (projector ? 332 : 250) / scene.rows.length - label - caption - (down ? 58 : 0) - (scene.rows.length > 1 ? 8 : 0);
  const sign = projector ? 104 : 40;
  return { width: root.clientWidth - 4, height: Math.max(48, height), sign, slot: projector ? 150 : 78, thin: projector ? 18 : 12, cell: [58, 30] };
}

/** @param {Scene} scene @returns {Map<string, number>} one colour scale for all pieces that are added or compared */
function peaksOf(scene) {
  const peaks = new Map();
  for (const piece of scene.rows.flat().flatMap(piecesOf)) {
    peaks.set(piece.scale, Math.max(peaks.get(piece.scale) ?? 0, piece.tensor.stats.maxAbs));
  }
  return peaks;
}

/** @param {Item} item @returns {Piece[]} */
function piecesOf(item) {
  if (item.type === "sign") return [];
  return item.type === "sum" ? [item.from, item.result] : [item];
}

/** @param {Item} item @param {Paint} paint @returns {HTMLElement} */
function drawItem(item, paint) {
  if (item.type === "sign") return drawSign(item.text, item.words, "sign");
  if (item.type === "tensor") return drawPiece(item, paint);
  return item.down ? drawSumDown(item, paint) : drawSumAcross(item, paint);
}

/** @param {string} text @param {string} words @param {string} name */
function drawSign(text, words, name) {
  return el("div", { class: name }, el("span"), el("div", { class: "mark" }, el("span", {}, text), words ? el("span", { class: "words" }, words) : null));
}

/** @param {Sum} sum @param {Paint} paint */
function drawSumAcross(sum, paint) {
  const box = el("div", { class: "equation-part", style: "display:contents" });
  box.append(drawPiece(sum.from, paint, "sum-from"), drawSign("Σ", sum.words, "sign sum"), drawPiece(sum.result, paint, "sum-to"));
  return box;
}

/** @param {Sum} sum @param {Paint} paint */
function drawSumDown(sum, paint) {
  const from = drawPiece(sum.from, paint, "sum-from");
  const result = drawPiece(sum.result, paint, "sum-to");
  const [label, stage, caption] = [...result.children];
  const down = el("div", { class: "down" }, "Σ", el("span", { class: "words" }, `${sum.words} ↓`));
  result.className += " beside";
  result.replaceChildren(stage, label, caption);
  return el("div", { class: "sum-down" }, from, down, result);
}

/** @param {Piece} piece @param {Paint} paint @param {string} [name] */
function drawPiece(piece, paint, name = "") {
  const max = paint.peaks.get(piece.scale) ?? 0;
  const size = boxOf(sheetOf(piece), paint.unit, paint.thin);
  const label = el("div", { class: "label" }, el("b", {}, piece.label), el("span", {}, piece.role));
  const scalar = piece.tensor.size === 1 && !piece.stretch;
  const picture = scalar ? drawScalar(piece, max, paint) : drawCanvas(piece, max, size, paint);
  const stage = el("div", { class: "stage", style: `min-width:${size.width}px` }, picture);
  return el("div", { class: `piece ${name}${piece.result ? " is-result" : ""}`, style: `margin-right:2px;max-width:${Math.max(size.width, paint.frame.state.projector ? 400 : 116)}px` }, label, stage, captionOf(piece));
}

/** @param {Piece} piece @param {number} max @param {{width: number, height: number}} size @param {Paint} paint */
function drawCanvas(piece, max, size, paint) {
  const canvas = el("canvas", { class: "heat" });
  drawHeatmap(canvas, piece.tensor, { max, theme: paint.frame.state.theme, ...size, stretch: piece.stretch, numbers: true });
  return canvas;
}

/** @param {Piece} piece @param {number} max @param {Paint} paint */
function drawScalar(piece, max, paint) {
  const value = piece.tensor.data[0];
  const colour = colourOf(value, max * 2, paint.frame.state.theme);
  return el("div", { class: "scalar heat", style: `background:rgb(${colour.join(",")});color:${inkOn(colour)}` }, numberText(value));
}

/** @param {Piece} piece */
function captionOf(piece) {
  const { maxAbs, broken } = piece.tensor.stats;
  const range = piece.tensor.size > 1 ? el("div", {}, `± ${numberText(maxAbs, 3)}`) : null;
  const lost = broken ? el("div", { class: "broken" }, `${broken} not finite`) : null;
  return el("div", { class: "caption" }, shapeText(piece.shape), range, lost);
}
