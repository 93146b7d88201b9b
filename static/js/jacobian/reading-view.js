import { ARROWS } from "../shared/arrow-keys.js";
import { el } from "../shared/dom/elements.js";
import { numberText } from "../shared/format.js";
import { within } from "../shared/within.js";
import { partialText, partialWords, sideTitle } from "./jacobian.js";
import { placeOf } from "./product-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./product-view.js").Drawn} Drawn */
/** @typedef {{row: number, col: number}} Cell */
/** @typedef {{rows: number, cols: number}} Grid */

/**
 * Cells of a matrix, read one by one with the pointer and with the arrow keys.
 * @param {HTMLElement} product all of the picture @param {HTMLElement} readout below it
 */
export function makeReading(product, readout) {
  /** @type {Cell} which the arrow keys move */
  const cursor = { row: 0, col: 0 };

  /** @param {Cell} to @param {Grid} grid */
  function move(to, { rows, cols }) {
    return Object.assign(cursor, { row: within(to.row, rows), col: within(to.col, cols) });
  }

  /** @param {Frame} frame @param {Drawn} drawn @param {Cell|null} cell the cell that is read, marked in all three */
  function read(frame, drawn, cell) {
    const { rows, cols } = drawn.matrix.grid;
    for (const mark of product.querySelectorAll(".product-mark")) {
      if (!(mark instanceof HTMLElement)) continue;
      mark.hidden = cell === null;
      if (cell) mark.style.cssText = placeOf(mark.dataset.mark ?? "", cell, rows, cols);
    }
    readout.replaceChildren(...(cell ? readWords(frame, drawn, cell) : axesWords(frame, drawn)));
    const usual = `Jacobian, ${rows} by ${cols}; arrow keys read a cell`;
    product.querySelector(".product-map")?.setAttribute("aria-label", cell ? (readout.textContent ?? "") : usual);
  }

  /** @param {HTMLElement} map @param {Grid} grid @param {(cell: Cell|null) => void} tell */
  function listen(map, grid, tell) {
    const under = (/** @type {PointerEvent} */ event) => cellUnder(map, grid, event);
    map.addEventListener("pointermove", (event) => tell(under(event)));
    map.addEventListener("pointerdown", (event) => tell(Object.assign(cursor, under(event))));
    map.addEventListener("pointerleave", () => tell(document.activeElement === map ? cursor : null));
    map.addEventListener("focus", () => tell(cursor));
    map.addEventListener("blur", () => tell(null));
    map.addEventListener("keydown", (event) => {
      const by = ARROWS[event.key];
      if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      tell(move({ row: cursor.row + by[0], col: cursor.col + by[1] }, grid));
    });
  }

  /** @param {HTMLElement} map the matrix, drawn anew @param {Frame} frame @param {Drawn} drawn */
  return function begin(map, frame, drawn) {
    const { rows, cols } = drawn.matrix.grid;
    move(cursor, { rows, cols });
    listen(map, { rows, cols }, (cell) => read(frame, drawn, cell));
    read(frame, drawn, null);
  };
}

/** @param {HTMLElement} map @param {Grid} grid @param {PointerEvent} event @returns {Cell} */
function cellUnder(map, { rows, cols }, { clientX, clientY }) {
  const box = map.getBoundingClientRect();
  const [y, x] = [(clientY - box.top) / box.height, (clientX - box.left) / box.width];
  return { row: within(Math.floor(y * rows), rows), col: within(Math.floor(x * cols), cols) };
}

/** @param {Frame} frame @param {Drawn} drawn @param {Cell} cell @returns {(Node|string)[]} */
function readWords(frame, { answer, matrix, arriving }, { row, col }) {
  const { labels } = frame.walk.document;
  const variables = /** @type {[string, string]} */ (
    [answer.node, answer.input].map((name) => frame.walk.node(name).variable)
  );
  const [local, upstream] = [matrix.data[row * matrix.grid.cols + col], arriving.data[row]];
  const words = partialWords(labels, answer, row, col);
  return [
    el("b", {}, `${partialText(answer, variables, row, col)} = ${numberText(local, 4)}`),
    el("span", { class: "how" }, words ? ` · ${words}` : ""),
    ` · times ${numberText(upstream, 3)} adds ${numberText(local * upstream, 3)}`,
  ];
}

/** @param {Frame} frame @param {Drawn} drawn */
function axesWords(frame, { answer }) {
  const { rows, columns } = answer;
  const [above, below] = [answer.node, answer.input].map((node) => frame.walk.node(node).variable);
  const of = (/** @type {string} */ variable, /** @type {string} */ axes) =>
    axes ? `${axes} of ${variable}` : `${variable}, a single number`;
  const axes = `Rows: ${of(above, sideTitle(rows))}. Columns: ${of(below, sideTitle(columns))}.`;
  return [axes, el("span", { class: "how" }, " Point at a cell to read it.")];
}
