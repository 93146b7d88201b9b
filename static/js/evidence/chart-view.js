import { columnTicks, dimsFor, sideLabels } from "../shared/axis-labels.js";
import { shapeText } from "../shared/format.js";
import { cleanups, el, icon } from "../shared/dom/elements.js";
import { drawHeatmap } from "../shared/heatmap-view.js";
import { drawChart } from "./plotly-view.js";
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../lens/pickable-cells-view.js").Map} Map */

/** A low window, in which the style sheet gives the plots less. */
export const LOW = matchMedia("(max-height: 860px)");
const CELL = { width: 58, height: 24 };

/** @typedef {{tensor: Tensor, frame: Frame, max: number, width: number, height: number}} Shown */

/**
 * One of the small heatmaps: a canvas at once, Plotly over it when there is time, cells to point at.
 * @param {string} which @param {string} title @param {(which: string) => void} open
 */
export function mountChart(which, title, open) {
  const undo = cleanups();
  const { canvas, slot, plot, none, enlarge, axis, bar, root } = partsOf(which, title);
  /** @type {Shown|null} */
  let shown = null;
  undo.on(enlarge, "click", () => open(which));

  /** @param {Frame} frame @param {Tensor} tensor @param {number} max @param {number} width */
  function draw(frame, tensor, max, width) {
    const size = plotSize(tensor, width);
    shown = { tensor, frame, max, ...size };
    plot.style.width = `${size.width}px`;
    plot.style.height = `${size.height}px`;
    drawHeatmap(canvas, tensor, { max, theme: frame.state.theme, ...size, numbers: true });
    const keys = frame.node.inner ? "read a cell" : "pick a cell, Enter looks inside";
    const shows = frame.delta ? `change of ${title}` : title;
    const what = `${shows} of ${frame.node.variable}, ${shapeText(tensor.whole)}`;
    plot.setAttribute("aria-label", `${what}; arrow keys ${keys}`);
    drawTicks(axis, frame, tensor, size.width);
  }

  return {
    root,
    bar,
    plot,
    enlarge,
    /**
     * @param {Frame} frame @param {Tensor|null} tensor @param {number} max @param {number} width
     * @param {string} dash why nothing is there
     */
    update(frame, tensor, max, width, dash) {
      plot.hidden = enlarge.hidden = tensor === null;
      none.hidden = tensor !== null;
      none.style.height = `${plotHeight()}px`;
      none.title = dash;
      plot.classList.remove("drawn");
      axis.replaceChildren();
      shown = null;
      if (tensor) draw(frame, tensor, max, width);
    },
    /** @param {Map["beside"]} beside @returns {Map[]} what is drawn, to be picked from */
    maps(beside) {
      if (!shown) return [];
      const { tensor, frame, width, height } = shown;
      /** @type {Map["subject"]} */
      const subject = { tensor: frame.node.name, of: which === "value" ? "value" : "gradient" };
      const kind = which === "autograd" || which === "difference" ? title : undefined;
      return [{ element: plot, tensor, width, height, stretch: null, subject, beside, kind }];
    },
    /** @param {any} Plotly */
    async upgrade(Plotly) {
      if (!shown || shown.tensor.codes) return;
      const asked = shown;
      await drawChart(slot, chartOf(asked, title), Plotly);
      if (shown === asked) plot.classList.add("drawn");
    },
    unmount: undo.run,
  };
}

/** @param {string} which @param {string} title */
function partsOf(which, title) {
  const canvas = el("canvas", { "aria-hidden": "true" });
  const slot = el("div", { class: "plotly-slot", "aria-hidden": "true" });
  const own = { class: "plot", role: "group", tabindex: 0, "data-which": which, "data-map": which };
  const plot = el("div", own, canvas, slot);
  const none = el("div", { class: "none" }, el("span", {}, "—"));
  const names = { title: `${title}: every number`, "aria-label": `${title}: larger, with every number` };
  const enlarge = el("button", { type: "button", class: "quiet enlarge", ...names }, icon("table"));
  const axis = el("div", { class: "ticks", "aria-hidden": "true" });
  const bar = el("div", { class: "bar" });
  const head = el("h2", { "aria-label": title }, title, enlarge);
  const root = el("div", { class: "chart" }, head, el("div", { class: "holder" }, plot, none), axis, bar);
  return { canvas, slot, plot, none, enlarge, axis, bar, root };
}

/** @param {Shown} shown @param {string} title @returns {import("./plotly-view.js").Chart} */
function chartOf({ frame, tensor, max, width, height }, title) {
  const { node, walk, state } = frame;
  const sides = /** @type {const} */ (["rows", "cols"]);
  const [rows, cols] = sides.map((side) => sideLabels(walk.document.labels, dimsFor(node, tensor), tensor.shape, side));
  return {
    ...{ tensor, max, theme: state.theme, width, height, large: false },
    title: `${title} ${node.variable}`,
    rows: rows.names,
    cols: cols.names,
    axes: [rows.title, cols.title],
  };
}

/** @returns {number} */
export function plotHeight() {
  return LOW.matches ? 50 : 88;
}

/** @param {Tensor} tensor @param {number} width @returns {{width: number, height: number}} */
export function plotSize(tensor, width) {
  const { rows, cols } = tensor.grid;
  return {
    width: Math.round(Math.min(width, cols * CELL.width)),
    height: Math.round(Math.min(plotHeight(), rows * CELL.height)),
  };
}

/** @param {HTMLElement} axis @param {Frame} frame @param {Tensor} tensor @param {number} width */
function drawTicks(axis, frame, tensor, width) {
  const named = columnTicks(frame.walk.document.labels, dimsFor(frame.node, tensor), tensor, width);
  axis.replaceChildren(...named.map(({ name, centre }) => el("span", { style: `left:${centre.toFixed(1)}px` }, name)));
}
