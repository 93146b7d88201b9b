import { shapeText } from "../shared/format.js";
import { el } from "../shared/dom/elements.js";
/** @typedef {import("../walk/types.js").Candidate} Candidate */

const UNIT = { side: 64, cell: 16, least: 8 };

/** @param {Candidate} candidate @returns {HTMLElement} both factors and what comes out */
export function productPicture({ left, right, result, own }) {
  const all = [left, right, ...(result ? [result] : [])];
  const unit = Math.min(UNIT.cell, UNIT.side / Math.max(...all.flat(), 1));
  const box = (/** @type {number[]} */ shape, /** @type {string} */ state) => {
    const [rows, cols] = shape.length < 2 ? [1, shape[0] ?? 1] : shape.slice(-2);
    const [width, height] = [cols, rows].map((size) => Math.max(UNIT.least, Math.round(size * unit)));
    return el(
      "figure",
      { class: state },
      el("span", { class: "shape-box", style: `width:${width}px;height:${height}px` }),
      el("figcaption", {}, shapeText(shape)),
    );
  };
  const outcome = result ? ["=", box(result, own ? "is-right" : "is-chosen")] : ["✕"];
  return el("div", { class: "shape-product", "aria-hidden": "true" }, box(left, ""), "@", box(right, ""), ...outcome);
}
