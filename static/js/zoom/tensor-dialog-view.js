import { peakOf } from "../walk/picture-peak.js";
import { shapeText } from "../shared/format.js";
import { codeAt } from "../shared/category-codes.js";
import { dimsFor, sideLabels } from "../shared/axis-labels.js";
import { cellOnSheet, colName, rowName, sheetAxes, sheetOfShape } from "./sheet.js";
import { mountCellGrid } from "./cell-grid-view.js";
import { byId, cleanups, el } from "../shared/dom/elements.js";
import { KINDS, drawBar } from "../evidence/evidence-view.js";
import { drawHeatmap } from "../shared/heatmap-view.js";
import { numbersTable, pagedNumbers } from "./numbers-view.js";
import { valueIn } from "./layers-view.js";
import { csvOf, numpyOf } from "./number-texts.js";
import { cellSays } from "./partner-words.js";
import { drawChart, plotly } from "../evidence/plotly-view.js";
import { MOST_NUMBERS, mountZoom, readable } from "./zoom-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./layers.js").Layers} Layers */
/** @typedef {import("../walk/pick.js").Subject} Subject */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("./viewport.js").View} View */
/** @typedef {import("./window-loader.js").Question} Question */
/** @typedef {{title: string, names: string[]}} Side */

const WRITTEN = { width: 60, height: 24 };

/**
 * The dialog in which every number of a tensor can be reached: a large picture, and a table of what is in it, whose
 * cells open. @param {(subject: Subject, cell: number[]) => void} look
 * @param {typeof import("./window-loader.js").makeWindowLoader} windowsOf
 */
export function mountTensorDialog(look, windowsOf) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("tensor-dialog"));
  const [title, tabs, chart, pager, table] = [
    "tensor-title",
    "tensor-tabs",
    "tensor-chart",
    "tensor-pager",
    "tensor-table",
  ].map(byId);
  const undo = cleanups();
  const plot = el("div", { class: "tensor-plot" });
  const lens = el("div", { class: "zoom" });
  const zoom = mountZoom(lens, windowsOf, tableOfView);
  const bar = el("div", { class: "bar plot-bar" });
  const says = el("p", { class: "plot-says" });
  const copies = el("span", { class: "plot-copies" });
  const foot = el("div", { class: "plot-foot" }, says, copies, bar);
  const mark = el("div", { class: "cell-mark plot-mark", hidden: true });
  chart.replaceChildren(plot, foot, lens, mark);
  /**
   * @type {{frame: Frame, subject: Subject, sheet: import("../lens/pointing.js").Sheet|null,
   *   cellAt: (row: number, col: number) => number[]}|null}
   */
  let shown = null;
  /** The first row and column of the table. */
  let corner = { row: 0, col: 0 };

  /** @param {Frame} frame @param {string} which @param {number[]|null} [at] a cell to be found in a large tensor */
  function show(frame, which, at = null) {
    const kind = KINDS.find((candidate) => candidate.which === which);
    const tensor = kind?.tensor(frame);
    if (!kind || !tensor) return;
    const cellAt = (/** @type {number} */ row, /** @type {number} */ col) =>
      tensor.block ? cellOnSheet(frame.node.shape, row, col) : tensor.cellAt(row, col);
    const subject = /** @type {Subject} */ ({ tensor: frame.node.name, of: which === "value" ? "value" : "gradient" });
    const answers = !tensor.block && (which === "value" || which === "manual");
    shown = { frame, subject, sheet: answers ? { tensor, subject } : null, cellAt };
    point(null);
    const [name, what] = subjectName(frame.node.variable, which);
    title.replaceChildren(
      el("span", { class: "mono" }, name),
      `, ${what} `,
      el("span", { class: "mono" }, shapeText(tensor.whole)),
    );
    tabs.replaceChildren(...KINDS.filter((other) => other.tensor(frame)).map((other) => tab(frame, other, which)));
    plot.hidden = foot.hidden = tensor.block !== null;
    lens.hidden = tensor.block === null;
    if (!dialog.open) dialog.showModal();
    if (tensor.block) return showTile(frame, kind, tensor, at);
    zoom.close();
    copies.replaceChildren(
      copyButton("copy as CSV", () => csvOf(tensor)),
      copyButton("as NumPy", () =>
        numpyOf(tensor, which === "value" ? frame.node.variable : `d${frame.node.variable}`),
      ),
    );
    drawBar(bar, tensor, tensor.stats.maxAbs, frame);
    const rows = sideLabels(frame.walk.document.labels, dimsFor(frame.node, tensor), tensor.shape, "rows");
    const cols = sideLabels(frame.walk.document.labels, dimsFor(frame.node, tensor), tensor.shape, "cols");
    const { data, grid } = tensor;
    pagedNumbers(
      table,
      pager,
      {
        sheet: grid,
        at: (row, col) => data[row * grid.cols + col],
        text: namedCells(tensor),
        row: (row) => rows.names[row] || "·",
        col: (col) => cols.names[col],
        corner: cornerOf(rows.title, cols.title),
      },
      begins,
    );
    drawLarge(frame, tensor, subjectName(frame.node.variable, which).join(", "), rows, cols);
  }

  /**
   * @param {Frame} frame @param {import("../evidence/evidence-view.js").Kind} kind @param {Tensor} tile
   * @param {number[]|null} at
   */
  function showTile(frame, kind, tile, at) {
    pager.hidden = true;
    prompt();
    zoom.show({
      walk: frame.walk,
      node: frame.node,
      title: subjectName(frame.node.variable, kind.which).join(", "),
      tile,
      question: questionOf(frame, kind.which),
      theme: frame.state.theme,
    });
    if (at) zoom.find(at);
  }

  /**
   * A cell that is pointed at in the picture is marked in the table, too, and the other way round; below them stand its
   * number and the cells that it comes from or goes to.
   * @param {{row: number, col: number}|null} at on the sheet
   */
  function point(at) {
    table.querySelector(".pointed")?.classList.remove("pointed");
    says.textContent = "";
    mark.hidden = true;
    if (!shown?.sheet || !at) return;
    const { frame, sheet, cellAt } = shown;
    says.textContent = cellSays(frame, sheet, cellAt(at.row, at.col));
    const cell = table.querySelectorAll("tbody tr")[at.row - corner.row]?.children[at.col - corner.col + 1];
    cell?.classList.add("pointed");
    const box = cellBox(plot, at);
    mark.hidden = box === null;
    if (box) for (const [side, length] of Object.entries(box)) mark.style.setProperty(side, `${length}px`);
  }

  /** @param {Event} event of the pointer, or of the focus */
  function pointHere({ target }) {
    const cell = target instanceof Element ? target.closest("td") : null;
    const line = cell?.closest("tbody tr");
    if (!cell || !line) return;
    const row = [...(line.parentElement?.children ?? [])].indexOf(line);
    point({ row: corner.row + row, col: corner.col + cell.cellIndex - 1 });
  }

  /** @param {import("./viewport.js").Cells} cells */
  function begins([row, , col]) {
    corner = { row, col };
  }

  function prompt() {
    const most = MOST_NUMBERS.toLocaleString("en");
    table.replaceChildren(
      el(
        "p",
        { class: "prompt" },
        `Come closer to read the numbers: they stand here once no more than ${most} cells are in view.`,
        " Or go to a row and a column.",
      ),
    );
  }

  /**
   * The numbers of what is in view, once they are here and few enough to read.
   * @param {View} view @param {Layers} layers @param {{row: number, col: number}|null} picked
   */
  function tableOfView(view, layers, picked) {
    const cells = readable(view, layers);
    if (!shown || !cells) return prompt();
    const { node, walk } = shown.frame;
    const { labels } = walk.document;
    const best = layers.best(view);
    const axes = sheetAxes(node.dims, node.shape);
    table.replaceChildren(
      numbersTable(
        {
          sheet: sheetOfShape(node.shape),
          at: (row, col) => valueIn(best, "mean", row, col),
          corner: cornerOf(axes.rows, axes.cols),
          row: (row) => rowName(labels, node.dims, node.shape, row),
          col: (col) => colName(labels, node.dims, node.shape, col),
        },
        cells,
      ),
    );
    begins(cells);
    if (!picked || picked.row < cells[0] || picked.row >= cells[1] || picked.col < cells[2] || picked.col >= cells[3])
      return;
    const cell = table.querySelectorAll("tbody tr")[picked.row - cells[0]].children[picked.col - cells[2] + 1];
    cell.classList.add("picked");
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** @param {Frame} frame @param {import("../evidence/evidence-view.js").Kind} kind @param {string} which */
  function tab(frame, kind, which) {
    const button = el("button", { type: "button", "aria-pressed": String(kind.which === which) }, kind.title);
    button.addEventListener("click", () => {
      show(frame, kind.which);
      /** @type {HTMLElement|null} */ (tabs.querySelector("[aria-pressed=true]"))?.focus();
    });
    return button;
  }

  /** @param {Frame} frame @param {Tensor} tensor @param {string} name @param {Side} rows @param {Side} cols */
  async function drawLarge(frame, tensor, name, rows, cols) {
    const size = { width: plot.clientWidth, height: plot.clientHeight };
    if (tensor.codes) return drawWritten(frame, tensor, size);
    const Plotly = await plotly().catch(() => null);
    if (!Plotly || !dialog.open) return;
    if (plot.querySelector(":scope > canvas")) plot.replaceChildren();
    await drawChart(
      plot,
      {
        tensor,
        max: peakOf(frame.walk, shown?.subject ?? null, tensor, frame.state.enlarged),
        theme: frame.state.theme,
        ...size,
        title: name,
        rows: rows.names,
        cols: cols.names,
        axes: [rows.title, cols.title],
        large: true,
      },
      Plotly,
    );
    const hears = /** @type {any} */ (plot);
    if (plot.dataset.hears) return;
    plot.dataset.hears = "true";
    hears.on("plotly_hover", (/** @type {any} */ { points: [{ x, y }] }) => point({ row: y, col: x }));
    hears.on("plotly_unhover", () => point(null));
  }

  /**
   * Names instead of amounts.
   * @param {Frame} frame @param {Tensor} tensor @param {{width: number, height: number}} size
   */
  function drawWritten(frame, tensor, { width, height }) {
    const canvas = el("canvas", { class: "written" });
    const { rows, cols } = tensor.grid;
    drawHeatmap(canvas, tensor, {
      max: 1,
      theme: frame.state.theme,
      width: Math.min(width, cols * WRITTEN.width),
      height: Math.min(height, rows * WRITTEN.height),
      numbers: true,
    });
    plot.replaceChildren(canvas);
  }

  undo.part(
    mountCellGrid(table, (row, col) => {
      if (!shown) return;
      const { subject, cellAt } = shown;
      dialog.close();
      look(subject, cellAt(corner.row + row, corner.col + col));
    }),
  );
  undo.on(dialog, "click", (event) => {
    if (event.target.closest("[data-close]")) dialog.close();
  });
  for (const type of ["pointerover", "focusin"]) undo.on(table, type, pointHere);
  undo.on(table, "pointerleave", () => point(null));
  undo.on(dialog, "keydown", (event) => !lens.hidden && zoom.press(event));
  undo.on(dialog, "close", zoom.close);
  undo.add(() => {
    zoom.unmount();
    if (dialog.open) dialog.close();
    chart.replaceChildren();
  });
  return { show, unmount: undo.run };
}

/** @param {string} words @param {() => string} text @returns {HTMLElement} */
function copyButton(words, text) {
  const button = el("button", { type: "button", class: "link" }, words);
  const done = () =>
    navigator.clipboard.writeText(text()).then(
      () => "copied",
      () => "could not copy",
    );
  button.addEventListener("click", async () => (button.textContent = await done()));
  return button;
}

/**
 * @param {HTMLElement} plot a chart of Plotly's @param {{row: number, col: number}} at
 * @returns {{left: number, top: number, width: number, height: number}|null} where it is drawn, null out of view
 */
function cellBox(plot, { row, col }) {
  const axes = /** @type {any} */ (plot)._fullLayout;
  if (!axes?.xaxis?.l2p) return null;
  const [left, right] = [col - 0.5, col + 0.5].map((x) => axes.xaxis.l2p(x));
  const [top, bottom] = [row - 0.5, row + 0.5].map((y) => axes.yaxis.l2p(y));
  if (left < -1 || top < -1 || right > axes.xaxis._length + 1 || bottom > axes.yaxis._length + 1) return null;
  const [x, y] = [plot.offsetLeft + axes.xaxis._offset, plot.offsetTop + axes.yaxis._offset];
  return { left: x + left, top: y + top, width: right - left, height: bottom - top };
}

/**
 * @param {string} variable @param {string} which @returns {[string, string]} what the numbers are: "dW2", "written out"
 */
export function subjectName(variable, which) {
  const gradient = `d${variable}`;
  return (
    {
      value: /** @type {[string, string]} */ ([variable, "value"]),
      manual: /** @type {[string, string]} */ ([gradient, "written out"]),
      autograd: /** @type {[string, string]} */ ([gradient, "from autograd"]),
      difference: /** @type {[string, string]} */ ([gradient, "written out minus autograd"]),
    }[which] ?? [variable, which]
  );
}

/** @param {string} rows @param {string} cols */
function cornerOf(rows, cols) {
  return [rows && `${rows} ↓`, cols && `${cols} →`].filter(Boolean).join("  ");
}

/**
 * @param {Frame} frame @param {string} which
 * @returns {Question|null} by which name the server knows these numbers; a part of a line has none
 */
function questionOf({ walk, node, known }, which) {
  if (node.inner) return null;
  if (which !== "manual" || walk.gradientAt(node.name, known).stage === "complete") return { tensor: node.name, which };
  const steps = (walk.backwardIndex.get(node.name) ?? []).filter((step) => step <= known);
  return { tensor: node.name, which: "accumulated", step: steps[steps.length - 1] };
}

/**
 * @param {Tensor} tensor
 * @returns {((row: number, col: number) => string)|null} "d · 4": what each number stands for
 */
function namedCells(tensor) {
  if (!tensor.codes?.names) return null;
  return (row, col) => {
    const value = tensor.data[row * tensor.grid.cols + col];
    return `${codeAt(tensor, value)} · ${value}`;
  };
}
