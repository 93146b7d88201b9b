import { el } from "../shared/dom/elements.js";
import { isWhole, whole } from "./viewport.js";
import { Layers } from "./layers.js";
import { paint } from "./layers-view.js";
/** @typedef {import("../shared/colour-scale.js").Theme} Theme */
/** @typedef {import("./layers.js").Layer} Layer */
/** @typedef {import("./viewport.js").Sheet} Sheet */
/** @typedef {import("./viewport.js").View} View */

const MOST = { width: 132, height: 96 };
const LEAST = 14;
const PART = 4;

/**
 * The whole in a corner, with a frame around what is looked at; a click goes there.
 * @param {(row: number, col: number) => void} go
 */
export function mountOverview(go) {
  const canvas = el("canvas", {});
  const frame = el("div", { class: "overview-frame" });
  const root = el(
    "div",
    { class: "overview", "aria-hidden": "true", hidden: true },
    el("div", { class: "overview-sheet" }, canvas, frame),
  );
  /** @type {Sheet} */
  let sheet = { rows: 1, cols: 1 };
  root.addEventListener("pointerdown", (event) => {
    event.stopPropagation();
    event.preventDefault();
    const box = canvas.getBoundingClientRect();
    go(((event.clientY - box.top) / box.height) * sheet.rows, ((event.clientX - box.left) / box.width) * sheet.cols);
  });
  root.addEventListener("dblclick", (event) => event.stopPropagation());
  return {
    root,
    /**
     * @param {Layer} base @param {Theme} theme @param {number} room how wide the picture is in whose corner it stands
     */
    draw(base, theme, room) {
      sheet = { rows: base.cells[1], cols: base.cells[3] };
      const most = Math.min(1, room / (MOST.width * PART));
      const scale = most * Math.min(MOST.width / sheet.cols, MOST.height / sheet.rows);
      const size = {
        width: Math.max(LEAST, Math.round(sheet.cols * scale)),
        height: Math.max(LEAST, Math.round(sheet.rows * scale)),
      };
      canvas.style.cssText = `width:${size.width}px;height:${size.height}px`;
      paint(canvas, new Layers(sheet, base), whole(sheet), { pooling: "mean", theme, ...size });
    },
    /** @param {View} view @param {Sheet} all */
    update(view, all) {
      root.hidden = isWhole(view, all);
      const part = (/** @type {number} */ value, /** @type {number} */ of) => `${(value / of) * 100}%`;
      const [left, width] = [view.col, view.cols].map((value) => part(value, all.cols));
      const [top, height] = [view.row, view.rows].map((value) => part(value, all.rows));
      frame.style.cssText = `left:${left};top:${top};width:${width};height:${height}`;
    },
    unmount: () => root.remove(),
  };
}
