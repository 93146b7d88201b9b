import { numberText } from "../shared/format.js";
import { Layers, isExact, layerOf } from "./layers.js";
import { cellOnSheet, sheetOfShape } from "./sheet.js";
import { around, cellsIn, countOf, isWhole, panned, whole, zoomed } from "./viewport.js";
import { blockText, cellWords } from "../shared/axis-labels.js";
import { ravel } from "../shared/tensor.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { drawScale } from "../shared/heatmap-view.js";
import { makeCamera } from "./camera-view.js";
import { gestures } from "./gestures-view.js";
import { mountOverview } from "./overview-view.js";
import { paint, scaleOf, valueIn } from "./layers-view.js";
import { zoomBar } from "./zoom-bar-view.js";
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("../walk/types.js").WalkNode} WalkNode */
/** @typedef {import("./viewport.js").View} View */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("./window-loader.js").Question} Question */
/** @typedef {import("./layers-view.js").Pooling} Pooling */
/**
 * @typedef {{walk: Walk, node: WalkNode, title: string, tile: Tensor, question: Question|null,
 *   theme: import("../shared/colour-scale.js").Theme}} Subject
 */
/** @typedef {typeof import("./window-loader.js").makeWindowLoader} Windows */
/** @typedef {{subject: Subject, layers: Layers, windows: ReturnType<Windows>}} Open */

const CALM = 250;
const NEAR = { width: 70, height: 22 };

/**
 * A large tensor, drawn as its tile at once and sharper as one comes closer: windows of it are asked for as they are
 * needed.
 * @param {HTMLElement} root @param {Windows} windowsOf asks for them
 * @param {(view: View, layers: Layers, picked: {row: number, col: number}|null) => void} seen once the view has come to
 *   rest, or is sharper
 */
export function mountZoom(root, windowsOf, seen) {
  const undo = cleanups();
  const canvas = el("canvas", { "aria-hidden": "true" });
  const mark = el("div", { class: "cell-mark", hidden: true });
  const overview = mountOverview((row, col) => go(around(sheet(), row, col, camera.view)));
  const stage = el("div", { class: "zoom-stage", tabindex: 0, role: "group" }, canvas, mark, overview.root);
  const readout = el("p", { class: "zoom-readout" });
  const spoken = el("span", { class: "unseen", role: "status" });
  const legend = el("canvas", { "aria-hidden": "true" });
  const limits = el("span", {});
  const bar = zoomBar({
    closer: (factor) => glide(zoomed(camera.view, sheet(), factor)),
    whole: () => glide(whole(sheet())),
    pool,
    jump,
  });
  root.replaceChildren(
    bar.root,
    stage,
    el("div", { class: "zoom-foot" }, readout, el("div", { class: "bar" }, legend, limits)),
    spoken,
  );
  /** @type {Open|null} */
  let open = null;
  const camera = makeCamera(soon);
  const { go, glide } = camera;
  /** @type {Pooling} */
  let pooling = "mean";
  /** @type {{row: number, col: number}|null} */
  let picked = null;
  let frame = 0;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let calm;

  function sheet() {
    return open?.layers.sheet ?? { rows: 1, cols: 1 };
  }

  /** However often the view changes, it is drawn and asked for once a frame. */
  function soon() {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      draw();
      open?.windows.look(camera.ahead);
      stage.classList.toggle("waiting", open?.windows.busy ?? false);
    });
    clearTimeout(calm);
    calm = setTimeout(rest, CALM);
  }

  function draw() {
    const { view } = camera;
    if (!open || !stage.clientWidth) return;
    const { layers, subject } = open;
    paint(canvas, layers, view, {
      pooling,
      theme: subject.theme,
      width: stage.clientWidth,
      height: stage.clientHeight,
    });
    overview.update(view, sheet());
    place(mark, picked);
    bar.update(viewWords(view, layers), isExact(layers.best(view)), pooling, isWhole(view, sheet()));
    limits.textContent = `full colour ${numberText(scaleOf(layers, view, pooling), 2)}`;
    if (picked) say(picked);
  }

  function rest() {
    const { view } = camera;
    if (!open) return;
    spoken.textContent = viewWords(view, open.layers);
    seen(view, open.layers, picked);
  }

  /** @param {HTMLElement} box @param {{row: number, col: number}|null} cell */
  function place(box, cell) {
    const { view } = camera;
    const [x, y] = [stage.clientWidth / view.cols, stage.clientHeight / view.rows];
    box.hidden =
      !cell ||
      cell.row < view.row - 1 ||
      cell.row > view.row + view.rows ||
      cell.col < view.col - 1 ||
      cell.col > view.col + view.cols;
    if (!cell || box.hidden) return;
    const [left, top] = [(cell.col - view.col) * x, (cell.row - view.row) * y];
    box.style.cssText = `left:${left}px;top:${top}px;width:${Math.max(3, x)}px;height:${Math.max(3, y)}px`;
  }

  /** @param {{x: number, y: number}} at fractions of the stage */
  function cellAt({ x, y }) {
    const { view } = camera;
    const { rows, cols } = sheet();
    return {
      row: Math.max(0, Math.min(rows - 1, Math.floor(view.row + y * view.rows))),
      col: Math.max(0, Math.min(cols - 1, Math.floor(view.col + x * view.cols))),
    };
  }

  /** @param {{row: number, col: number}|null} cell */
  function say(cell) {
    if (!open || !cell) return readout.replaceChildren(HINT);
    const {
      layers,
      subject: { walk, node },
    } = open;
    const best = layers.best({ ...cell, rows: 1, cols: 1 });
    const near = layers.best(camera.view);
    const layer = isExact(best) ? best : near;
    const value = numberText(valueIn(layer, pooling, cell.row, cell.col), 6);
    const index = cellOnSheet(node.shape, cell.row, cell.col);
    const words = cellWords(walk.document.labels, node.dims, node.shape, index);
    const kind = isExact(layer) ? "" : `${POOLED[pooling]} of the block there: `;
    readout.replaceChildren(el("b", {}, `[${index.join(", ")}]`), ` ${words} · ${kind}`, el("b", {}, value));
  }

  /** @param {Pooling} next */
  function pool(next) {
    pooling = next;
    soon();
  }

  /** @param {number} row @param {number} col by number: to where its digits can be read */
  function jump(row, col) {
    const all = sheet();
    picked = { row: Math.max(0, Math.min(all.rows - 1, row)), col: Math.max(0, Math.min(all.cols - 1, col)) };
    say(picked);
    glide(
      around(all, picked.row, picked.col, {
        rows: Math.max(6, Math.floor(stage.clientHeight / NEAR.height)),
        cols: Math.max(4, Math.floor(stage.clientWidth / NEAR.width)),
      }),
    );
  }

  const hands = gestures(stage, {
    zoom: (factor, at) => go(zoomed(camera.view, sheet(), factor, at)),
    leap: (at) => glide(zoomed(camera.view, sheet(), 3, at)),
    pan: (x, y) => go(panned(camera.view, sheet(), y * camera.view.rows, x * camera.view.cols)),
    step: (x, y) =>
      glide(panned(camera.view, sheet(), y * Math.max(1, camera.view.rows / 4), x * Math.max(1, camera.view.cols / 4))),
    closer: (factor) => glide(zoomed(camera.view, sheet(), factor)),
    whole: () => glide(whole(sheet())),
    hover: (at) => say(at ? cellAt(at) : picked),
    pick: (at) => {
      picked = cellAt(at);
      go(camera.view); // a hand on the picture stops it
    },
  });
  undo.add(hands.unmount);
  const observer = new ResizeObserver(() => open && draw());
  observer.observe(stage);
  undo.add(() => observer.disconnect());
  undo.add(close);

  function close() {
    open?.windows.stop();
    cancelAnimationFrame(frame);
    camera.stop();
    clearTimeout(calm);
    frame = 0;
    open = null;
  }

  return {
    /** Another tensor of the same shape keeps the view. @param {Subject} subject */
    show(subject) {
      const size = sheetOfShape(subject.node.shape);
      const same = open !== null && open.subject.node === subject.node;
      close();
      const layers = new Layers(size, layerOf([0, size.rows, 0, size.cols], subject.tile));
      const windows = windowsOf(subject.walk, subject.question, layers, {
        arrived: soon,
        failed: (problem) =>
          bar.complain(problem.message, () => {
            windows.again();
            soon();
          }),
      });
      open = { subject, layers, windows };
      if (!same) {
        camera.set(whole(size));
        picked = null;
      }
      stage.setAttribute(
        "aria-label",
        `${subject.title}: arrow keys move, plus and minus zoom, Enter zooms in, 0 shows it whole`,
      );
      bar.begin(size);
      overview.draw(layers.base, subject.theme, stage.clientWidth);
      drawScale(legend, subject.theme);
      say(picked);
      draw();
      soon();
    },
    /** @param {number[]} cell of the tensor that is shown */
    find(cell) {
      const shape = open?.subject.node.shape ?? [];
      const flat = ravel(shape, cell);
      if (flat >= 0) jump(Math.floor(flat / sheet().cols), flat % sheet().cols);
    },
    press: hands.press,
    close,
    unmount: undo.run,
  };
}

const HINT = "Scroll or pinch to zoom, drag to move, double-click to come closer.";
const POOLED = { mean: "mean", min: "least", max: "greatest" };

/** @param {View} view @param {Layers} layers @returns {string} "rows 480–511, columns 500–515: every cell" */
export function viewWords(view, layers) {
  const [row0, row1, col0, col1] = cellsIn(view, layers.sheet);
  const span = (/** @type {number} */ from, /** @type {number} */ to) =>
    to - from === 1 ? `${from.toLocaleString("en")}` : `${from.toLocaleString("en")}–${(to - 1).toLocaleString("en")}`;
  const best = layers.best(view);
  const how = isExact(best)
    ? "every cell"
    : `blocks of ${blockText(best.cells[1] - best.cells[0], best.cells[3] - best.cells[2], best)} cells`;
  return `rows ${span(row0, row1)}, columns ${span(col0, col1)} · ${how}`;
}

/**
 * @param {View} view @param {Layers} layers
 * @returns {import("./viewport.js").Cells|null} the cells of the view if they are here and few enough for a table
 */
export function readable(view, layers) {
  const cells = cellsIn(view, layers.sheet);
  return countOf(cells) <= MOST_NUMBERS && isExact(layers.best(view)) ? cells : null;
}

export const MOST_NUMBERS = 2000;
