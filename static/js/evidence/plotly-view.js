import { plotlyScale } from "../shared/colour-scale.js";
import { isRecorded } from "../shared/address.js";
import { plain } from "./plotly-text.js";
import { numbersFit } from "../shared/heatmap-view.js";
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("../shared/colour-scale.js").Theme} Theme */
/** @typedef {{tensor: Tensor, max: number, theme: Theme, width: number, height: number, title: string,
 *   rows: string[], cols: string[], axes: [string, string], large: boolean}} Chart */

/** Plotly adds a style sheet for maps, which our policy refuses, unless an element of this id is there already. */
const MAP_STYLE = "9f215cf04c5486422605d13261cb87401f4e7763b6296af81e98efbc0130da53";

/** @returns {boolean} recorded pages have none, it is larger than all that they hold: their pictures stay canvases */
export function hasPlotly() {
  return !isRecorded;
}

/** @type {Promise<any>|null} */
let library = null;

/** @returns {boolean} whether drawing needs no more waiting */
export function plotlyReady() {
  return "Plotly" in window;
}

/** @returns {Promise<any>} Plotly, fetched once from our own server and only when the page has been painted */
export function plotly() {
  library ??= fetched();
  return library;
}

/**
 * Plotly writes entities as HTML (a notice's ×, a picture's text). Without a `<` no element can come of them: no more
 * is let through.
 */
const TEXT_ONLY = { createHTML: (/** @type {string} */ html) => (html.includes("<") ? null : html) };

async function fetched() {
  /** @type {any} */ (window).trustedTypes?.createPolicy("default", TEXT_ONLY);
  const mapStyle = document.createElement("template");
  mapStyle.id = MAP_STYLE;
  document.head.append(mapStyle);
  await import(`${document.documentElement.dataset.static}/plotly.min.js`);
  return /** @type {any} */ (window).Plotly;
}

/**
 * @param {HTMLElement} slot @param {Chart} chart @param {any} Plotly draws or redraws one heatmap in a div that is kept
 */
export function drawChart(slot, chart, Plotly) {
  const config = {
    displayModeBar: chart.large,
    displaylogo: false,
    responsive: false,
    modeBarButtonsToRemove: ["sendChartToCloud"],
    doubleClick: "reset",
  };
  const shown = inPlainText(chart);
  return Plotly.react(slot, [trace(shown)], layout(shown), config);
}

/**
 * Names of tensors, axes and examples are whatever a stranger's link says.
 * @param {Chart} chart @returns {Chart} the same to Plotly's eyes
 */
function inPlainText({ title, rows, cols, axes, ...rest }) {
  return {
    ...rest,
    title: plain(title),
    rows: rows.map(plain),
    cols: cols.map(plain),
    axes: [plain(axes[0]), plain(axes[1])],
  };
}

/** @param {import("../walk/types.js").Wire} wire @returns {string} what is drawn: of a tile the means */
function cellsOf(wire) {
  return "pooled" in wire ? wire.pooled.mean : wire.bdata;
}

/** @param {Chart} chart */
function trace({ tensor, max, theme, rows, cols, axes, title, width, height }) {
  const { grid, wire } = tensor;
  const row = axes[0] ? `${axes[0]} %{customdata[0]}<br>` : "";
  return {
    type: "heatmap",
    z: { dtype: wire.dtype, bdata: cellsOf(wire), shape: `${grid.rows}, ${grid.cols}` },
    zmin: -(max || 1),
    zmax: max || 1,
    colorscale: plotlyScale(theme),
    showscale: false,
    hoverongaps: true,
    customdata: grid.rows * grid.cols <= 65536 ? rows.map((row) => cols.map((col) => [row, col])) : undefined,
    hovertemplate: `${title}<br>${row}${axes[1]} %{customdata[1]}<br><b>%{z:.6g}</b><extra></extra>`,
    texttemplate: numbersFit(grid, { width, height }) ? "%{z:.3g}" : undefined,
  };
}

/** @param {Chart} chart */
function layout({ width, height, rows, cols, axes, large, theme, tensor }) {
  const ink = theme === "dark" ? "#a69f92" : "#696359";
  const axis = { showgrid: false, zeroline: false, fixedrange: !large, visible: large, color: ink, ticks: "" };
  return {
    width,
    height,
    margin: large ? { l: 110, r: 16, t: 30, b: 64 } : { l: 0, r: 0, t: 0, b: 0 },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    uirevision: "gradwalk",
    datarevision: cellsOf(tensor.wire).length + cellsOf(tensor.wire).slice(0, 64),
    font: { family: "monospace", size: 11, color: ink },
    modebar: { bgcolor: "rgba(0,0,0,0)", color: ink, activecolor: theme === "dark" ? "#ede9df" : "#211f1b" },
    hoverlabel: { font: { family: "monospace", size: 12 } },
    xaxis: { ...axis, range: [-0.5, cols.length - 0.5], title: { text: axes[1] }, ...ticksOf(cols, width / 14) },
    yaxis: { ...axis, range: [rows.length - 0.5, -0.5], title: { text: axes[0] }, ...ticksOf(rows, height / 13) },
    // beside the small ones the page's own words stand
    hovermode: large ? "closest" : false,
    dragmode: large ? "zoom" : false,
  };
}

/** @param {string[]} names @param {number} room how many fit */
function ticksOf(names, room) {
  const every = Math.max(1, Math.ceil(names.length / Math.max(1, room)));
  const tickvals = names.map((_, i) => i).filter((i) => i % every === 0);
  return { tickmode: "array", tickvals, ticktext: tickvals.map((i) => names[i]) };
}
