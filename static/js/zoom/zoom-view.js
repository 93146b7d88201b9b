import { numberText } from "../shared/format.js";
import { Layers, isExact, layerOf } from "./layers.js";
import { sheetOfShape } from "../shared/shape.js";
import { around, boxIn, isWhole, onSheet, panned, placeAt, whole, zoomed } from "./viewport.js";
import { ravel } from "../shared/tensor.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { drawScale } from "../shared/heatmap-view.js";
import { makeCamera } from "./camera-view.js";
import { gestures } from "./gestures-view.js";
import { mountOverview } from "./overview-view.js";
import { makePace } from "./pace-view.js";
import { paint } from "./layers-view.js";
import { scaleOf } from "./pooling.js";
import { readoutOf, viewWords } from "./view-words.js";
import { zoomBar } from "./zoom-bar-view.js";
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("./viewport.js").View} View */
/** @typedef {import("./viewport.js").Place} Place */
/**
 * @typedef {{walk: import("../walk/walk.js").Walk, node: import("../walk/types.js").WalkNode, title: string,
 *   tile: Tensor, question: import("./window-loader.js").Question|null,
 *   theme: import("../shared/colour-scale.js").Theme}} Subject
 */
/** @typedef {typeof import("./window-loader.js").makeWindowLoader} Windows */
/** @typedef {{subject: Subject, layers: Layers, windows: ReturnType<Windows>}} Open */
/** @typedef {(view: View, layers: Layers, picked: Place|null) => void} Seen */

const NEAR = { width: 70, height: 22 };
const HINT = "Scroll or pinch to zoom, drag to move, double-click to come closer.";

/**
 * A large tensor, drawn as its tile at once and sharper as one comes closer: windows of it are asked for as they are
 * needed.
 */
export class Zoom {
  /**
   * @param {HTMLElement} root @param {Windows} windowsOf asks for them
   * @param {Seen} seen once the view has come to rest, or is sharper
   */
  constructor(root, windowsOf, seen) {
    this.windowsOf = windowsOf;
    this.seen = seen;
    /** @type {Open|null} */
    this.open = null;
    /** @type {import("./pooling.js").Pooling} */
    this.pooling = "mean";
    /** @type {Place|null} */
    this.picked = null;
    this.pace = makePace(
      () => this.#look(),
      () => this.#rest(),
    );
    this.camera = makeCamera(this.pace.soon);
    this.overview = mountOverview((row, col) => this.camera.go(around(this.sheet, row, col, this.camera.view)));
    this.parts = partsOf(this.overview.root);
    this.bar = zoomBar({
      closer: (factor) => this.#closer(factor),
      whole: () => this.camera.glide(whole(this.sheet)),
      pool: (pooling) => {
        this.pooling = pooling;
        this.pace.soon();
      },
      jump: (row, col) => this.#jump({ row, col }),
    });
    this.hands = gestures(this.parts.stage, this.#gestures());
    root.replaceChildren(this.bar.root, this.parts.stage, this.parts.foot, this.parts.spoken);
    this.undo = cleanups();
    const observer = new ResizeObserver(() => this.open && this.#draw());
    observer.observe(this.parts.stage);
    for (const undo of [() => this.close(), () => observer.disconnect(), this.hands.unmount]) this.undo.add(undo);
  }

  get sheet() {
    return this.open?.layers.sheet ?? { rows: 1, cols: 1 };
  }

  /** @returns {import("./gestures-view.js").Acts} */
  #gestures() {
    const { camera } = this;
    const panning = (/** @type {number} */ down, /** @type {number} */ right) =>
      panned(camera.view, this.sheet, down, right);
    const quarter = (/** @type {number} */ cells) => Math.max(1, cells / 4);
    return {
      zoom: (factor, at) => camera.go(zoomed(camera.view, this.sheet, factor, at)),
      leap: (at) => camera.glide(zoomed(camera.view, this.sheet, 3, at)),
      pan: (x, y) => camera.go(panning(y * camera.view.rows, x * camera.view.cols)),
      step: (x, y) => camera.glide(panning(y * quarter(camera.view.rows), x * quarter(camera.view.cols))),
      closer: (factor) => this.#closer(factor),
      whole: () => camera.glide(whole(this.sheet)),
      hover: (at) => this.#say(at ? this.#cellAt(at) : this.picked),
      pick: (at) => {
        this.picked = this.#cellAt(at);
        camera.go(camera.view); // a hand on the picture stops it
      },
    };
  }

  /** @param {number} factor */
  #closer(factor) {
    this.camera.glide(zoomed(this.camera.view, this.sheet, factor));
  }

  /** @param {{x: number, y: number}} at fractions of the stage */
  #cellAt(at) {
    return onSheet(this.sheet, placeAt(this.camera.view, at));
  }

  #look() {
    this.#draw();
    this.open?.windows.look(this.camera.ahead);
    this.parts.stage.classList.toggle("waiting", this.open?.windows.busy ?? false);
  }

  #draw() {
    const { open, pooling, camera, parts, picked } = this;
    const [width, height] = [parts.stage.clientWidth, parts.stage.clientHeight];
    if (!open || !width) return;
    const { view } = camera;
    const { layers, subject } = open;
    paint(parts.canvas, layers, view, { pooling, theme: subject.theme, width, height });
    this.overview.update(view, this.sheet);
    place(parts.mark, picked && boxIn(view, picked, { width, height }));
    this.bar.update(viewWords(view, layers), isExact(layers.best(view)), pooling, isWhole(view, this.sheet));
    parts.limits.textContent = `full colour ${numberText(scaleOf(layers, view, pooling), 2)}`;
    if (picked) this.#say(picked);
  }

  #rest() {
    const { view } = this.camera;
    if (!this.open) return;
    this.parts.spoken.textContent = viewWords(view, this.open.layers);
    this.seen(view, this.open.layers, this.picked);
  }

  /** @param {Place|null} cell */
  #say(cell) {
    const { readout } = this.parts;
    if (!this.open || !cell) return readout.replaceChildren(HINT);
    const { subject, layers } = this.open;
    const { index, words, value } = readoutOf(subject, layers, this.camera.view, this.pooling, cell);
    readout.replaceChildren(el("b", {}, index), words, el("b", {}, value));
  }

  /** @param {Place} cell by number: to where its digits can be read */
  #jump(cell) {
    const { clientWidth, clientHeight } = this.parts.stage;
    this.picked = onSheet(this.sheet, cell);
    this.#say(this.picked);
    const [rows, cols] = [Math.floor(clientHeight / NEAR.height), Math.floor(clientWidth / NEAR.width)];
    const size = { rows: Math.max(6, rows), cols: Math.max(4, cols) };
    this.camera.glide(around(this.sheet, this.picked.row, this.picked.col, size));
  }

  /** Another tensor of the same shape keeps the view. @param {Subject} subject */
  show(subject) {
    const size = sheetOfShape(subject.node.shape);
    const same = this.open !== null && this.open.subject.node === subject.node;
    this.close();
    const layers = new Layers(size, layerOf([0, size.rows, 0, size.cols], subject.tile));
    this.open = { subject, layers, windows: this.#windows(subject, layers) };
    if (!same) {
      this.camera.set(whole(size));
      this.picked = null;
    }
    const keys = "arrow keys move, plus and minus zoom, Enter zooms in, 0 shows it whole";
    this.parts.stage.setAttribute("aria-label", `${subject.title}: ${keys}`);
    this.bar.begin(size);
    this.overview.draw(layers.base, subject.theme, this.parts.stage.clientWidth);
    drawScale(this.parts.legend, subject.theme);
    this.#say(this.picked);
    this.#draw();
    this.pace.soon();
  }

  /** @param {Subject} subject @param {Layers} layers */
  #windows({ walk, question }, layers) {
    const windows = this.windowsOf(walk, question, layers, {
      arrived: this.pace.soon,
      failed: (problem) =>
        this.bar.complain(problem.message, () => {
          windows.again();
          this.pace.soon();
        }),
    });
    return windows;
  }

  /** @param {number[]} cell of the tensor that is shown */
  find(cell) {
    const flat = ravel(this.open?.subject.node.shape ?? [], cell);
    const { cols } = this.sheet;
    if (flat >= 0) this.#jump({ row: Math.floor(flat / cols), col: flat % cols });
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    this.hands.press(event);
  }

  close() {
    this.open?.windows.stop();
    this.camera.stop();
    this.pace.stop();
    this.open = null;
  }

  unmount() {
    this.undo.run();
  }
}

/** @param {HTMLElement} mark @param {ReturnType<typeof boxIn>} box which may be too small to be seen */
function place(mark, box) {
  mark.hidden = !box;
  if (!box) return;
  const [width, height] = [box.width, box.height].map((side) => Math.max(3, side));
  mark.style.cssText = `left:${box.left}px;top:${box.top}px;width:${width}px;height:${height}px`;
}

/** @param {HTMLElement} overview */
function partsOf(overview) {
  const canvas = el("canvas", { "aria-hidden": "true" });
  const mark = el("div", { class: "cell-mark", hidden: true });
  const stage = el("div", { class: "zoom-stage", tabindex: 0, role: "group" }, canvas, mark, overview);
  const readout = el("p", { class: "zoom-readout" });
  const spoken = el("span", { class: "unseen", role: "status" });
  const legend = el("canvas", { "aria-hidden": "true" });
  const limits = el("span", {});
  const foot = el("div", { class: "zoom-foot" }, readout, el("div", { class: "bar" }, legend, limits));
  return { canvas, mark, stage, readout, spoken, legend, limits, foot };
}
