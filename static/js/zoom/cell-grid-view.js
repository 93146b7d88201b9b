import { ARROWS } from "../shared/arrow-keys.js";
import { cleanups } from "../shared/dom/elements.js";

/**
 * A table of numbers as a grid: one tab stop, arrow keys move inside, Enter or a click picks.
 * @param {HTMLElement} root @param {(row: number, col: number) => void} pick
 */
export function mountCellGrid(root, pick) {
  const undo = cleanups();

  /** @param {Event} event @returns {HTMLTableCellElement|null} */
  function cellOf({ target }) {
    return target instanceof Element ? target.closest("tbody td") : null;
  }
  /** @param {HTMLTableCellElement} cell @returns {[number, number]} */
  function placeOf(cell) {
    return [/** @type {HTMLTableRowElement} */ (cell.parentElement).sectionRowIndex, cell.cellIndex - 1];
  }
  undo.on(root, "click", (event) => {
    const cell = cellOf(event);
    if (cell) pick(...placeOf(cell));
  });
  undo.on(root, "focusin", (event) => {
    const cell = cellOf(event);
    root.querySelectorAll("td[tabindex='0']").forEach((other) => other.setAttribute("tabindex", "-1"));
    cell?.setAttribute("tabindex", "0");
  });
  undo.on(root, "keydown", (event) => {
    const cell = cellOf(event);
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    const [row, col] = placeOf(cell);
    if (event.key === "Enter") pick(row, col);
    else if (ARROWS[event.key]) go(cell, row + ARROWS[event.key][0], col + ARROWS[event.key][1]);
    else return;
    event.preventDefault();
  });

  /** @param {HTMLTableCellElement} from @param {number} row @param {number} col */
  function go(from, row, col) {
    const body = /** @type {HTMLTableSectionElement} */ (from.closest("tbody"));
    const next = col < 0 ? null : body.rows[row]?.cells[col + 1];
    next?.setAttribute("tabindex", "-1");
    next?.focus();
  }
  return { unmount: undo.run };
}
