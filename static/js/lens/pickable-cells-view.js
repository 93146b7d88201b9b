import { termsIn } from "./highlights.js";
import { matesOf } from "./mates.js";
import { boxOf, markIn, reachIn } from "../walk/pick.js";
import { gridOf } from "../shared/tensor.js";
import { cleanups } from "../shared/dom/elements.js";
import { drawAnswer, drawLights } from "./highlights-view.js";
import { hideLayer, showCanvas, showLayer } from "./layers-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./lens.js").Term} Term */
/** @typedef {import("./highlights.js").Lights} Lights */
/** @typedef {import("../walk/pick.js").Subject} Subject */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/**
 * A drawn tensor; `stretch` is the shape it is copied to. One without a subject is an expression: its cells are read,
 * but do not open.
 * @typedef {import("./pointing.js").Sheet & {element: HTMLElement, stretch: number[]|null, width: number,
 *   height: number}} Map
 */
/** @typedef {{map: Map, cell: number[], answer: import("./pointing.js").Answer}} Pointed */
/** @typedef {{x: number, y: number}} Place in the window */
/**
 * @typedef {{point: (map: Map, cell: number[], at: Place) => void, shows: (map: Map, cell: number[]) => boolean,
 *   clear: () => void}} Pointing
 */
/**
 * @typedef {{pick: (subject: Subject, cell: number[]) => void, enter: (subject: Subject, tensor: Tensor) => void,
 *   extend: (subject: Subject, cell: number[]) => void,
 *   follow: (term: Term) => void, pointing: Pointing}} Acts
 */

const MOVES = /** @type {Record<string, [number, number]>} */ ({
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
});

/**
 * Cells that can be picked, in every `[data-map]` inside `root`: with the pointer, with the arrow keys, with Enter;
 * with Shift several of them.
 * @param {HTMLElement} root @param {Acts} acts
 */
export function mountPickableCells(root, acts) {
  const undo = cleanups();
  /** @type {Map[]} */
  let maps = [];
  /** @type {Frame|null} */
  let frame = null;
  /** @type {Lights|null} */
  let lights = null;
  /** @type {Term|null} */
  let hot = null;
  /** @type {Place|null} where the pointer rests */
  let over = null;
  /** @type {{map: Map, cell: number[]}|null} the cell of an expression that the keyboard has come to */
  let read = null;

  function mark() {
    if (!frame) return;
    const mates = lights ? matesOf(frame, maps, lights, hot) : new Map();
    for (const map of maps) {
      const { subject } = map;
      const lit = mates.get(map);
      if (lit) drawLights(map, lit.cells, lit.hot, frame.state.theme);
      else if (!subject) hideLayer(map.element, "lights");
      if (!subject) continue;
      placeMark(map, markIn(frame, subject), frame.pick !== null && frame.state.of !== subject.of);
      drawReach(map, markIn(frame, subject), reachIn(frame, subject));
      const terms = lights ? termsIn(lights, subject) : [];
      map.element.classList.toggle("lit", terms.length > 0 && map.tensor.size === 1);
      if (!lit) drawLights(map, map.tensor.size === 1 ? [] : terms, hot, frame.state.theme);
    }
  }

  /** @param {Event} event @returns {Map|undefined} */
  function mapOf({ target }) {
    const element = target instanceof Element ? target.closest("[data-map]") : null;
    return maps.find((map) => map.element === element);
  }
  undo.on(root, "click", (/** @type {PointerEvent} */ event) => {
    const map = mapOf(event);
    if (!map) return;
    const cell = cellUnder(map, event);
    // a finger has nothing to point with: its first tap does
    if (event.pointerType === "touch" && !acts.pointing.shows(map, cell))
      return acts.pointing.point(map, cell, { x: event.clientX, y: event.clientY });
    const { subject } = map;
    if (!subject) return;
    if (event.shiftKey) return acts.extend(subject, cell);
    const term = lights && termsIn(lights, subject).find((one) => one.cell.join() === cell.join());
    if (term) acts.follow(term);
    else acts.pick(subject, cell);
  });
  undo.on(root, "pointermove", (/** @type {PointerEvent} */ event) => {
    if (event.pointerType === "touch") return;
    over = { x: event.clientX, y: event.clientY };
    const map = mapOf(event);
    if (map) acts.pointing.point(map, cellUnder(map, event), over);
    else acts.pointing.clear();
  });
  undo.on(root, "pointerleave", (/** @type {PointerEvent} */ event) => {
    if (event.pointerType === "touch") return;
    over = null;
    acts.pointing.clear();
  });
  undo.on(root, "focusin", (event) => {
    const map = mapOf(event);
    if (map?.element.matches(":focus-visible")) pointAtFocus(map);
  });
  undo.on(root, "focusout", () => {
    if (!over) acts.pointing.clear();
  });
  undo.on(root, "keydown", (event) => {
    const map = mapOf(event);
    if (!map || !frame || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key !== "Enter" && !MOVES[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    over = null;
    const { subject } = map;
    if (!subject) {
      read = { map, cell: beside(map.tensor, read?.map === map ? read.cell : null, MOVES[event.key] ?? [0, 0]) };
      pointAtFocus(map);
    } else if (event.key === "Enter") acts.enter(subject, map.tensor);
    else if (event.shiftKey)
      acts.extend(subject, beside(map.tensor, reachIn(frame, subject) ?? markIn(frame, subject), MOVES[event.key]));
    else acts.pick(subject, beside(map.tensor, markIn(frame, subject), MOVES[event.key]));
  });
  undo.on(root, "mousedown", (/** @type {MouseEvent} */ event) => {
    if (event.shiftKey && mapOf(event)) event.preventDefault(); // chooses cells, and no text
  });

  /** @param {Map} map with the focus: the cell that is picked in it answers, or the one that is read */
  function pointAtFocus(map) {
    const cell = map.subject ? frame && markIn(frame, map.subject) : read?.map === map ? read.cell : null;
    if (cell && map.tensor.flatOf(cell) >= 0) acts.pointing.point(map, cell, cornerOf(map, cell));
  }

  /** After the pictures have changed under a pointer that rests, or under the focus. */
  function pointAgain() {
    const map = maps.find(({ element }) => element.matches(over ? ":hover" : ":focus-visible"));
    if (!map) return;
    if (over) acts.pointing.point(map, cellUnder(map, { clientX: over.x, clientY: over.y }), over);
    else pointAtFocus(map);
  }

  return {
    /** @param {Map[]} drawn anew @param {Frame} next */
    set(drawn, next) {
      const same = frame !== null && frame.step === next.step && frame.node === next.node;
      maps = drawn;
      frame = next;
      read = null;
      mark();
      if (same || !over) pointAgain();
    },
    /** @param {Frame} next @param {Lights|null} shining @param {Term|null} pointed the term that is pointed at */
    point(next, shining, pointed) {
      [frame, lights, hot] = [next, shining, pointed];
      mark();
      pointAgain();
    },
    /** @param {Pointed|null} pointed outlines what belongs to the cell that is pointed at */
    answer(pointed) {
      for (const map of maps) drawAnswer(map, pointed);
    },
    /** @returns {string|null} the map that has the focus */
    focused: () =>
      root.contains(document.activeElement)
        ? (/** @type {HTMLElement} */ (document.activeElement).dataset.map ?? null)
        : null,
    unmount: undo.run,
  };
}

/** @param {Map} map @returns {{rows: number, cols: number}} the sheet as drawn, copies included */
function sheetOf({ tensor, stretch }) {
  return gridOf(stretch ?? tensor.shape);
}

/** @param {Map} map @param {number[]} cell @returns {Place} the lower right corner of a cell in the window */
function cornerOf(map, cell) {
  const box = map.element.getBoundingClientRect();
  const { rows, cols } = sheetOf(map);
  const flat = map.tensor.flatOf(cell);
  const own = map.tensor.grid.cols;
  return {
    x: box.left + ((flat % own) + 1) * (box.width / cols),
    y: box.top + (Math.floor(flat / own) + 1) * (box.height / rows),
  };
}

/** @param {Map} map @param {{clientX: number, clientY: number}} event @returns {number[]} */
function cellUnder(map, event) {
  const box = map.element.getBoundingClientRect();
  const { rows, cols } = sheetOf(map);
  const row = Math.min(rows - 1, Math.max(0, Math.floor(((event.clientY - box.top) / box.height) * rows)));
  const col = Math.min(cols - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * cols)));
  const { grid } = map.tensor;
  return map.tensor.cellAt(row % grid.rows, col % grid.cols);
}

/**
 * @param {Tensor} tensor @param {number[]|null} cell @param {[number, number]} move
 * @returns {number[]} the neighbour, or the first cell of all
 */
function beside(tensor, cell, [down, right]) {
  const { rows, cols } = tensor.grid;
  const flat = cell ? tensor.flatOf(cell) : -1;
  if (flat < 0) return tensor.cellAt(0, 0);
  const row = Math.min(rows - 1, Math.max(0, Math.floor(flat / cols) + down));
  return tensor.cellAt(row, Math.min(cols - 1, Math.max(0, (flat % cols) + right)));
}

/**
 * @param {Map} map @param {number[]|null} cell @param {boolean} faint where another number of this cell is looked into
 */
function placeMark(map, cell, faint) {
  const flat = cell ? map.tensor.flatOf(cell) : -1;
  if (flat < 0) return hideLayer(map.element, "cell-mark");
  const mark = showLayer(map.element, "cell-mark");
  const sheet = sheetOf(map);
  const { cols } = map.tensor.grid;
  const [w, h] = [map.width / sheet.cols, map.height / sheet.rows];
  mark.classList.toggle("faint", faint);
  mark.classList.toggle("whole", sheet.rows * sheet.cols === 1);
  mark.style.cssText = `left:${(flat % cols) * w}px;top:${Math.floor(flat / cols) * h}px;width:${w}px;height:${h}px`;
}

/**
 * Veils what is not chosen where several cells are.
 * @param {Map} map @param {number[]|null} from @param {number[]|null} to
 */
function drawReach(map, from, to) {
  if (!from || !to) return hideLayer(map.element, "reach");
  const canvas = showCanvas(map.element, "reach");
  const { rows, cols } = map.tensor.grid;
  const sheet = sheetOf(map);
  Object.assign(canvas, { width: sheet.cols, height: sheet.rows });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.fillStyle = getComputedStyle(canvas).color;
  pen.fillRect(0, 0, sheet.cols, sheet.rows);
  const box = boxOf(from, to);
  for (let row = 0; row < rows; row += 1)
    for (let col = 0; col < cols; col += 1)
      if (map.tensor.cellAt(row, col).every((at, axis) => at >= box[axis][0] && at < box[axis][1]))
        pen.clearRect(col, row, 1, 1);
}
