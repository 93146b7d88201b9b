import { barOver, focusOf, measureOf, namesOf } from "./board.js";
import { drawBoard } from "./board-view.js";
import { drawRope } from "./rope-view.js";
import { chanceText, clickMeans, closedText, ropeOf, strongestPull } from "./tug-of-war.js";
import { ARROWS } from "../shared/arrow-keys.js";
import { within } from "../shared/within.js";
import { rootScale } from "../shared/dom/root-scale.js";
import { cleanups, el } from "../shared/dom/elements.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/**
 * @typedef {{row: (row: number) => void, maps: import("../lens/pickable-cells-view.js").Acts,
 *   outline: typeof import("../lens/highlights-view.js").drawAnswer}} Acts
 */

/**
 * What is drawn: `cell` is the width of one, `strongest` the pull that ropes are measured by, `map` its cells, to be
 * pointed at.
 * @typedef {{frame: Frame, tensor: Tensor, names: import("./board.js").Names, measure: import("./board.js").Measure,
 *   row: number, cell: number, strongest: number, map: import("../lens/pickable-cells-view.js").Map}} Shown
 */

/** What a rope and its words need beside each other, right of the board. */
const BESIDE = 270;

const HINT = "Point at a row; click to keep it, again to open a number.";

/**
 * dlogits as a tug-of-war: rows are examples, columns letters. Pointing at a row shows its rope, a click keeps it, and
 * a second click inside it opens a cell.
 */
class TugOfWar {
  /** @param {HTMLElement} root @param {import("../equation/equation-view.js").Space} space @param {Acts} acts */
  constructor(root, space, acts) {
    this.root = root;
    this.space = space;
    this.acts = acts;
    this.parts = partsOf(root);
    /** @type {number|null} the row that the pointer is over, while it is another one */
    this.over = null;
    /** @type {Shown|null} */
    this.shown = null;
    this.undo = cleanups();
    this.#listen();
  }

  #listen() {
    const { undo, acts } = this;
    const { board } = this.parts;
    undo.on(board, "click", (event) => this.#click(event));
    undo.on(board, "pointermove", (/** @type {PointerEvent} */ event) => {
      if (event.pointerType === "touch" || !this.shown) return;
      this.#glanceAt(this.#under(this.shown, event).at);
      this.#pointAt(this.shown, event);
    });
    undo.on(board, "pointerleave", (/** @type {PointerEvent} */ event) => {
      if (event.pointerType === "touch") return;
      this.#glanceAt(null);
      acts.maps.pointing.clear();
    });
    undo.on(board, "keydown", (event) => this.#press(event));
  }

  /** @param {Shown} shown @param {MouseEvent} event @returns {{at: number, col: number, onCell: boolean}} */
  #under({ tensor, measure, cell }, event) {
    const box = this.parts.canvas.getBoundingClientRect();
    const { rows, cols } = tensor.grid;
    const at = within(Math.floor((event.clientY - box.top - measure.head) / measure.row), rows);
    const col = Math.floor((event.clientX - box.left - measure.gutter) / cell);
    return { at, col, onCell: col >= 0 && col < cols };
  }

  /** @param {PointerEvent} event */
  #click(event) {
    const { shown, acts } = this;
    if (!shown) return;
    const { at, col, onCell } = this.#under(shown, event);
    const { pick, state } = shown.frame;
    if (event.pointerType === "touch") this.#pointAt(shown, event);
    if (clickMeans(state.cell?.[0] ?? null, at, onCell, pick !== null) === "cell")
      acts.maps.pick(subjectOf(shown.frame), [at, col]);
    else acts.row(at);
  }

  /** @param {Shown} shown @param {MouseEvent} event */
  #pointAt(shown, event) {
    const { pointing } = this.acts.maps;
    const { at, col, onCell } = this.#under(shown, event);
    if (onCell) pointing.point(shown.map, [at, col], { x: event.clientX, y: event.clientY });
    else pointing.clear();
  }

  /** @param {number|null} at shows the rope of this row, or of the one that was chosen */
  #glanceAt(at) {
    if (!this.shown || at === this.over) return;
    this.over = at;
    this.#placeGlance(this.shown);
    this.#draw(this.shown);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const { shown, acts } = this;
    const open = Boolean(shown?.frame.pick);
    const move = open || event.key === "ArrowUp" || event.key === "ArrowDown" ? ARROWS[event.key] : undefined;
    if (!shown || (event.key !== "Enter" && !move)) return;
    event.preventDefault();
    event.stopPropagation();
    this.#glanceAt(null);
    if (move) return this.#move(shown, ...move);
    const { frame, row } = shown;
    const subject = subjectOf(frame);
    if (!open) acts.maps.pick(subject, [row, frame.state.cell?.[1] ?? frame.node.targets?.[row] ?? 0]);
    acts.maps.enter(subject, this.shown?.tensor ?? shown.tensor);
  }

  /** @param {Shown} shown @param {number} down @param {number} right from the open cell, or from the row */
  #move({ frame, tensor, row }, down, right) {
    const { rows, cols } = tensor.grid;
    const next = within(row + down, rows);
    if (!frame.pick) return this.acts.row(next);
    this.acts.maps.pick(subjectOf(frame), [next, within((frame.state.cell?.[1] ?? 0) + right, cols)]);
  }

  /** @param {Shown} shown */
  #placeGlance({ row, measure }) {
    const { glance } = this.parts;
    glance.hidden = this.over === null || this.over === row;
    if (this.over !== null) glance.style.cssText = barOver(measure, this.over);
  }

  /** @param {Shown} shown */
  #draw({ frame, tensor, names, measure, row, strongest }) {
    const { hint, rope } = this.parts;
    const one = ropeOf(tensor, frame.node.targets ?? [], this.over ?? row);
    const closed = `(softmax − one-hot) / ${one.rows}: ${closedText(one, names.cols)}`;
    hint.textContent = this.over === null && !frame.state.cell ? HINT : closed;
    rope.replaceChildren(...drawRope(one, names, measure, strongest));
  }

  /** @param {Frame} frame @param {Tensor} tensor @returns {Shown} the board, drawn */
  #drawBoard(frame, tensor) {
    const { node, state, pick } = frame;
    const { rows, cols } = tensor.grid;
    const names = namesOf(frame, tensor);
    const window = { width: innerWidth, height: innerHeight, scale: rootScale() };
    const look = { projector: state.projector, open: pick !== null };
    const measure = measureOf(rows, look, window, this.space.height());
    const row = within(state.cell?.[0] ?? focusOf(frame, tensor), rows);
    const width = this.space.width();
    const room = Math.min(width - 8, width < 420 ? width : width * 0.62);
    const cell = drawBoard(this.parts.canvas, tensor, names, frame, measure, room);
    const size = { width: cell * cols, height: measure.row * rows };
    const left = width - measure.gutter - size.width;
    this.parts.tug.classList.toggle("beside", !state.projector && left >= BESIDE);
    const map = { element: this.parts.cells, tensor, subject: subjectOf(frame), stretch: null, ...size };
    return { frame, tensor, names, measure, row, cell, strongest: strongestPull(tensor, node.targets ?? []), map };
  }

  /** What lies over the board: the row, the cells, the one that is looked into. @param {Shown} shown */
  #placeMarks(shown) {
    const { mark, cells, spot } = this.parts;
    const { frame, measure, row, cell } = shown;
    const { gutter, head, row: height } = measure;
    mark.style.cssText = barOver(measure, row);
    this.#placeGlance(shown);
    cells.style.cssText = `left:${gutter}px;top:${head}px`;
    const col = frame.pick?.tensor === frame.node.name ? frame.pick.index[1] : null;
    spot.hidden = col === null;
    const [left, top] = [gutter + (col ?? 0) * cell, head + row * height];
    spot.style.cssText = `left:${left}px;top:${top}px;width:${cell - 1}px;height:${height - 1}px`;
  }

  update = (/** @type {Frame} */ frame) => {
    const { tensor } = frame.walk.gradientAt(frame.node.name, frame.known);
    if (!tensor) return;
    const { board } = this.parts;
    const shown = (this.shown = this.#drawBoard(frame, tensor));
    this.#placeMarks(shown);
    const { names, row } = shown;
    const one = ropeOf(tensor, frame.node.targets ?? [], row);
    board.setAttribute("aria-label", "example: up and down choose another row, Enter opens its number");
    board.setAttribute("aria-valuemax", String(tensor.grid.rows - 1));
    board.setAttribute("aria-valuenow", String(row));
    board.setAttribute("aria-valuetext", `${names.rows[row]}: ${names.cols[one.target]} ${chanceText(one)}`);
    this.#draw(shown);
  };

  point = (/** @type {Frame} */ frame) => {
    if (frame !== this.shown?.frame) this.update(frame);
  };

  answer = (/** @type {import("../lens/pickable-cells-view.js").Pointed|null} */ pointed) => {
    if (this.shown) this.acts.outline(this.shown.map, pointed);
  };

  unmount = () => {
    this.undo.run();
    this.root.replaceChildren();
  };
}

/** @param {ConstructorParameters<typeof TugOfWar>} given */
export const mountTugOfWar = (...given) => new TugOfWar(...given);

/** @param {HTMLElement} root */
function partsOf(root) {
  const canvas = el("canvas", { "aria-hidden": "true" });
  const mark = el("div", { class: "tug-row" });
  const glance = el("div", { class: "tug-row glance", hidden: true });
  const spot = el("div", { class: "cell-mark", hidden: true });
  const cells = el("div", { class: "tug-cells" });
  const slider = { class: "tug-board", tabindex: 0, role: "slider", "aria-valuemin": 0, "data-map": "tug" };
  const board = el("div", slider, canvas, glance, mark, spot, cells);
  const rope = el("div", { class: "rope" });
  const hint = el("p", { class: "tug-hint" }, HINT);
  const tug = el("div", { class: "tug" }, el("div", { class: "tug-side" }, board, hint), rope);
  root.replaceChildren(tug);
  return { tug, canvas, mark, glance, spot, cells, board, rope, hint };
}

/** @param {Frame} frame @returns {import("../walk/pick.js").Subject} */
function subjectOf({ node }) {
  return { tensor: node.name, of: "gradient" };
}
