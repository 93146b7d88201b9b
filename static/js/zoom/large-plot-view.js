import { peakOf } from "../walk/picture-peak.js";
import { el } from "../shared/dom/elements.js";
import { drawHeatmap } from "../shared/heatmap-view.js";
import { drawChart, hasPlotly, plotly } from "../evidence/plotly-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("./table-words.js").Side} Side */
/** @typedef {import("./viewport.js").Place} Place */

const WRITTEN = { width: 60, height: 24 };
/** @typedef {Record<"left"|"top"|"width"|"height", number>} Box */

/**
 * The large picture of a tensor whose cells are all here.
 * @param {() => boolean} wanted whether it is still looked at @param {(at: Place|null) => void} point
 */
export function makeLargePlot(wanted, point) {
  const root = el("div", { class: "tensor-plot" });
  const plain = makePlainPlot(root, point);

  return {
    root,
    /**
     * @param {Frame} frame @param {Tensor} tensor @param {import("../walk/pick.js").Subject} subject
     * @param {string} title @param {{rows: Side, cols: Side}} sides
     */
    async draw(frame, tensor, subject, title, { rows, cols }) {
      const size = { width: root.clientWidth, height: root.clientHeight };
      if (tensor.codes) return root.replaceChildren(writtenOut(frame, tensor, size));
      if (!hasPlotly()) return plain.draw(frame, tensor, subject);
      const Plotly = await plotly().catch(() => null);
      if (!Plotly || !wanted()) return;
      if (root.querySelector(":scope > canvas")) root.replaceChildren();
      const max = peakOf(frame.walk, subject, tensor, frame.state.enlarged);
      const axes = /** @type {[string, string]} */ ([rows.title, cols.title]);
      const chart = { tensor, max, theme: frame.state.theme, ...size, title, axes, large: true };
      await drawChart(root, { ...chart, rows: rows.names, cols: cols.names }, Plotly);
      listen(root, point);
    },
    /** @param {Place} at @returns {Box|null} where it is; null out of view */
    boxOf: (at) => (hasPlotly() ? cellBox(root, at) : plain.boxOf(at)),
  };
}

/**
 * The same as a canvas, where there is no Plotly: nothing of it moves.
 * @param {HTMLElement} root @param {(at: Place|null) => void} point
 */
function makePlainPlot(root, point) {
  const canvas = el("canvas", { class: "plain-plot" });
  let sheet = { rows: 1, cols: 1 };
  canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => {
    const [row, col] = [(offsetY / canvas.clientHeight) * sheet.rows, (offsetX / canvas.clientWidth) * sheet.cols];
    point({ row: Math.min(sheet.rows - 1, Math.floor(row)), col: Math.min(sheet.cols - 1, Math.floor(col)) });
  });
  canvas.addEventListener("pointerleave", () => point(null));
  return {
    /**
     * @param {Frame} frame @param {Tensor} tensor @param {import("../walk/pick.js").Subject} subject
     */
    draw(frame, tensor, subject) {
      sheet = tensor.grid;
      const max = peakOf(frame.walk, subject, tensor, frame.state.enlarged) || 1;
      const [width, height] = [root.clientWidth, root.clientHeight];
      root.replaceChildren(canvas);
      drawHeatmap(canvas, tensor, { max, theme: frame.state.theme, width, height, numbers: true });
    },
    /** @param {Place} at @returns {Box} */
    boxOf({ row, col }) {
      const [width, height] = [canvas.clientWidth / sheet.cols, canvas.clientHeight / sheet.rows];
      return { left: canvas.offsetLeft + col * width, top: canvas.offsetTop + row * height, width, height };
    },
  };
}

/** @param {HTMLElement} root @param {(at: Place|null) => void} point */
function listen(root, point) {
  const hears = /** @type {any} */ (root);
  if (root.dataset.hears) return;
  root.dataset.hears = "true";
  hears.on("plotly_hover", (/** @type {any} */ { points: [{ x, y }] }) => point({ row: y, col: x }));
  hears.on("plotly_unhover", () => point(null));
}

/**
 * Names instead of amounts.
 * @param {Frame} frame @param {Tensor} tensor @param {{width: number, height: number}} size
 */
function writtenOut(frame, tensor, { width, height }) {
  const canvas = el("canvas", { class: "written" });
  const { rows, cols } = tensor.grid;
  drawHeatmap(canvas, tensor, {
    max: 1,
    theme: frame.state.theme,
    width: Math.min(width, cols * WRITTEN.width),
    height: Math.min(height, rows * WRITTEN.height),
    numbers: true,
  });
  return canvas;
}

/** @param {HTMLElement} plot a chart of Plotly's @param {Place} at */
function cellBox(plot, { row, col }) {
  const axes = /** @type {any} */ (plot)._fullLayout;
  if (!axes?.xaxis?.l2p) return null;
  const [left, right] = [col - 0.5, col + 0.5].map((x) => axes.xaxis.l2p(x));
  const [top, bottom] = [row - 0.5, row + 0.5].map((y) => axes.yaxis.l2p(y));
  if (left < -1 || top < -1 || right > axes.xaxis._length + 1 || bottom > axes.yaxis._length + 1) return null;
  const [x, y] = [plot.offsetLeft + axes.xaxis._offset, plot.offsetTop + axes.yaxis._offset];
  return { left: x + left, top: y + top, width: right - left, height: bottom - top };
}
