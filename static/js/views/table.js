import { numberText, shapeText } from "../model/format.js";
import { sideLabels } from "../model/labels.js";
import { mountCells } from "./cells.js";
import { byId, cleanups, el } from "./dom.js";
import { KINDS } from "./evidence.js";
import { drawChart, plotly } from "./plotly.js";
/** @typedef {import("../model/frame.js").Frame} Frame */
/** @typedef {import("../model/pick.js").Subject} Subject */
/** @typedef {import("../model/tensor.js").Tensor} Tensor */

const MOST_ROWS = 400;

/** The dialog in which every number of a tensor can be reached: a large heatmap and a table, whose cells open. @param {(subject: Subject, cell: number[]) => void} look */
export function mountTable(look) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("tensor-dialog"));
  const [title, tabs, chart, table] = ["tensor-title", "tensor-tabs", "tensor-chart", "tensor-table"].map(byId);
  const undo = cleanups();
  /** @type {{tensor: Tensor, subject: Subject}|null} */
  let shown = null;

  /** @param {Frame} frame @param {string} which */
  function show(frame, which) {
    const kind = KINDS.find((candidate) => candidate.which === which);
    const tensor = kind?.tensor(frame);
    if (!kind || !tensor) return;
    shown = { tensor, subject: { tensor: frame.node.name, of: which === "value" ? "value" : "gradient" } };
    title.replaceChildren(el("span", { class: "mono" }, frame.node.name), ` ${kind.title} `, el("span", { class: "mono" }, shapeText(frame.node.shape)));
    tabs.replaceChildren(...KINDS.filter((other) => other.tensor(frame)).map((other) => tab(frame, other, which)));
    const rows = sideLabels(frame.walk.document.labels, frame.node.dims, tensor.shape, "rows");
    const cols = sideLabels(frame.walk.document.labels, frame.node.dims, tensor.shape, "cols");
    table.replaceChildren(tableOf(tensor, rows, cols));
    if (!dialog.open) dialog.showModal();
    drawLarge(frame, tensor, `${frame.node.name} ${kind.title}`, rows, cols);
  }

  /** @param {Frame} frame @param {import("./evidence.js").Kind} kind @param {string} which */
  function tab(frame, kind, which) {
    const button = el("button", { type: "button", "aria-pressed": String(kind.which === which) }, kind.title);
    button.addEventListener("click", () => show(frame, kind.which));
    return button;
  }

  /** @param {Frame} frame @param {Tensor} tensor @param {string} name @param {{title: string, names: string[]}} rows @param {{title: string, names: string[]}} cols */
  async function drawLarge(frame, tensor, name, rows, cols) {
    const Plotly = await plotly().catch(() => null);
    if (!Plotly || !dialog.open) return;
    const size = { width: chart.clientWidth, height: chart.clientHeight };
    await drawChart(chart, { tensor, max: tensor.stats.maxAbs, theme: frame.state.theme, ...size, title: name, rows: rows.names, cols: cols.names, axes: [rows.title, cols.title], large: true }, Plotly);
  }

  undo.add(mountCells(table, (row, col) => {
    if (!shown) return;
    dialog.close();
    look(shown.subject, shown.tensor.cellAt(row, col));
  }));
  undo.on(dialog, "click", (event) => {
    if (event.target.closest("[data-close]")) dialog.close();
  });
  return { show, unmount: undo.run };
}

/** @param {Tensor} tensor @param {{title: string, names: string[]}} rows @param {{title: string, names: string[]}} cols */
function tableOf(tensor, rows, cols) {
  const { data, grid } = tensor;
  const corner = el("td", {}, [rows.title && `${rows.title} ↓`, cols.title && `${cols.title} →`].filter(Boolean).join("  "));
  const head = el("thead", {}, el("tr", {}, corner, ...cols.names.map((name) => el("th", { scope: "col" }, name))));
  const body = el("tbody", {});
  for (let row = 0; row < Math.min(grid.rows, MOST_ROWS); row += 1) {
    const cells = Array.from({ length: grid.cols }, (_, col) => el("td", { tabindex: row || col ? null : 0 }, numberText(data[row * grid.cols + col], 6)));
    body.append(el("tr", {}, el("th", { scope: "row" }, rows.names[row] || "·"), ...cells));
  }
  return el("table", { role: "grid" }, head, body);
}
