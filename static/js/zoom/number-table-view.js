import { el } from "../shared/dom/elements.js";
import { numbersTable, pagedNumbers } from "./numbers-view.js";
import { MOST_NUMBERS } from "./view-words.js";
/** @typedef {import("./numbers-view.js").Numbers} Numbers */
/** @typedef {import("./viewport.js").Cells} Cells */
/** @typedef {import("./viewport.js").Place} Place */

/**
 * The table of a tensor's numbers, or of those of them that are in view.
 * @param {HTMLElement} root @param {HTMLElement} pager
 */
export function makeNumberTable(root, pager) {
  /** Its first row and column. */
  let corner = { row: 0, col: 0 };

  /** @param {Cells} cells */
  function begins([row, , col]) {
    corner = { row, col };
  }

  /** @param {Place} at @returns {Element|undefined} */
  function cellOf({ row, col }) {
    return root.querySelectorAll("tbody tr")[row - corner.row]?.children[col - corner.col + 1];
  }

  return {
    /** @param {Numbers} numbers */
    all: (numbers) => pagedNumbers(root, pager, numbers, begins),
    /** @param {Numbers} numbers @param {Cells} cells @param {Place|null} picked */
    part(numbers, cells, picked) {
      root.replaceChildren(numbersTable(numbers, cells));
      begins(cells);
      const [top, bottom, left, right] = cells;
      if (!picked || picked.row < top || picked.row >= bottom || picked.col < left || picked.col >= right) return;
      const cell = cellOf(picked);
      cell?.classList.add("picked");
      cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
    },
    /** As long as there are too many. */
    prompt() {
      const most = MOST_NUMBERS.toLocaleString("en");
      const words = `Come closer to read the numbers: they stand here once no more than ${most} cells are in view.`;
      root.replaceChildren(el("p", { class: "prompt" }, words, " Or go to a row and a column."));
    },
    /** @param {Place|null} at */
    point(at) {
      root.querySelector(".pointed")?.classList.remove("pointed");
      if (at) cellOf(at)?.classList.add("pointed");
    },
    /** @param {Event} event of the pointer, or of the focus @returns {Place|null} */
    under({ target }) {
      const cell = target instanceof Element ? target.closest("td") : null;
      const line = cell?.closest("tbody tr");
      if (!cell || !line) return null;
      const row = [...(line.parentElement?.children ?? [])].indexOf(line);
      return { row: corner.row + row, col: corner.col + cell.cellIndex - 1 };
    },
    /** @param {number} row of the table @param {number} col @returns {Place} */
    placeOf: (row, col) => ({ row: corner.row + row, col: corner.col + col }),
  };
}
