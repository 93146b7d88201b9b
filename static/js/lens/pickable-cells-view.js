import { termsIn } from "./highlights.js";
import { markIn } from "../walk/pick.js";
import { gridOf } from "../shared/tensor.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { drawLights } from "./highlights-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./lens.js").Term} Term */
/** @typedef {import("./highlights.js").Lights} Lights */
/** @typedef {import("../walk/pick.js").Subject} Subject */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/**
 * A drawn tensor; `stretch` is the shape it is copied to.
 * @typedef {{element: HTMLElement, tensor: Tensor, subject: Subject, stretch: number[]|null, width: number,
 *   height: number}} Map
 */
/**
 * @typedef {{pick: (subject: Subject, cell: number[]) => void, enter: (subject: Subject, tensor: Tensor) => void,
 *   follow: (term: Term) => void, hover?: (map: Map|null, cell: number[]|null) => void}} Acts
 */

const MOVES = /** @type {Record<string, [number, number]>} */ ({
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
});

/**
 * Cells that can be picked, in every `[data-map]` inside `root`: with the pointer, with the arrow keys, with Enter.
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

  function mark() {
    if (!frame) return;
    for (const map of maps) {
      placeMark(map, markIn(frame, map.subject), frame.pick !== null && frame.state.of !== map.subject.of);
      const terms = lights ? termsIn(lights, map.subject) : [];
      map.element.classList.toggle("lit", terms.length > 0 && map.tensor.size === 1);
      drawLights(
        /** @type {HTMLCanvasElement} */ (map.element.querySelector(".lights")),
        map,
        map.tensor.size === 1 ? [] : terms,
        hot,
      );
    }
  }

  /** @param {Event} event @returns {Map|undefined} */
  function mapOf({ target }) {
    const element = target instanceof Element ? target.closest("[data-map]") : null;
    return maps.find((map) => map.element === element);
  }
  undo.on(root, "click", (event) => {
    const map = mapOf(event);
    if (!map) return;
    const cell = cellUnder(map, event);
    const term = lights && termsIn(lights, map.subject).find((one) => one.cell.join() === cell.join());
    if (term) acts.follow(term);
    else acts.pick(map.subject, cell);
  });
  undo.on(root, "mousemove", (event) => {
    const map = mapOf(event);
    acts.hover?.(map ?? null, map ? cellUnder(map, event) : null);
  });
  undo.on(root, "mouseleave", () => acts.hover?.(null, null));
  undo.on(root, "keydown", (event) => {
    const map = mapOf(event);
    if (!map || !frame || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key !== "Enter" && !MOVES[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter") acts.enter(map.subject, map.tensor);
    else acts.pick(map.subject, beside(map.tensor, markIn(frame, map.subject), MOVES[event.key]));
  });

  return {
    /** @param {Map[]} drawn anew @param {Frame} next */
    set(drawn, next) {
      maps = drawn;
      frame = next;
      for (const { element } of maps) {
        if (element.querySelector(":scope > .cell-mark")) continue;
        element.append(
          el("canvas", { class: "lights", "aria-hidden": "true", hidden: true }),
          el("div", { class: "cell-mark", hidden: true }),
        );
      }
      mark();
    },
    /** @param {Frame} next @param {Lights|null} shining @param {Term|null} pointed the term that is pointed at */
    point(next, shining, pointed) {
      [frame, lights, hot] = [next, shining, pointed];
      mark();
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

/** @param {Map} map @param {MouseEvent} event @returns {number[]} */
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
  const mark = /** @type {HTMLElement} */ (map.element.querySelector(":scope > .cell-mark"));
  const flat = cell ? map.tensor.flatOf(cell) : -1;
  mark.hidden = flat < 0;
  if (flat < 0) return;
  const sheet = sheetOf(map);
  const { cols } = map.tensor.grid;
  const [w, h] = [map.width / sheet.cols, map.height / sheet.rows];
  mark.classList.toggle("faint", faint);
  mark.classList.toggle("whole", sheet.rows * sheet.cols === 1);
  mark.style.cssText = `left:${(flat % cols) * w}px;top:${Math.floor(flat / cols) * h}px;width:${w}px;height:${h}px`;
}
