import { button } from "../shared/dom/button.js";
import { numberText } from "../shared/format.js";
import { el } from "../shared/dom/elements.js";
/** @typedef {import("./viewport.js").Cells} Cells */
/** @typedef {import("./viewport.js").Sheet} Sheet */
/**
 * @typedef {{sheet: Sheet, at: (row: number, col: number) => number, row: (row: number) => string, col: (col: number)
 *   => string, corner: string, text?: ((row: number, col: number) => string)|null}} Numbers `text`: what stands in a
 *   cell, where that is not its number alone
 */

const PAGE = { rows: 200, cols: 64 };

/** @param {Numbers} numbers @param {Cells} cells @returns {HTMLElement} the numbers of these cells as a table */
export function numbersTable(numbers, [row0, row1, col0, col1]) {
  const range = (/** @type {number} */ from, /** @type {number} */ to) =>
    Array.from({ length: to - from }, (_, i) => from + i);
  const cols = range(col0, col1);
  const head = el(
    "thead",
    {},
    el("tr", {}, el("td", {}, numbers.corner), ...cols.map((col) => el("th", { scope: "col" }, numbers.col(col)))),
  );
  const body = range(row0, row1).map((row) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, numbers.row(row)),
      ...cols.map((col) =>
        el(
          "td",
          { tabindex: row === row0 && col === col0 ? 0 : null },
          numbers.text?.(row, col) ?? numberText(numbers.at(row, col), 6),
        ),
      ),
    ),
  );
  return el("table", { role: "grid" }, head, el("tbody", {}, ...body));
}

/**
 * All numbers of a tensor, a page at a time where they are many.
 * @param {HTMLElement} root @param {HTMLElement} pager @param {Numbers} numbers
 * @param {(cells: Cells) => void} turnedTo hears which are shown
 */
export function pagedNumbers(root, pager, numbers, turnedTo) {
  const { rows, cols } = numbers.sheet;
  let [row, col] = [0, 0];

  function draw() {
    const cells = /** @type {Cells} */ ([row, Math.min(rows, row + PAGE.rows), col, Math.min(cols, col + PAGE.cols)]);
    root.replaceChildren(numbersTable(numbers, cells));
    turnedTo(cells);
    root.scrollTo(0, 0);
    pager.hidden = rows <= PAGE.rows && cols <= PAGE.cols;
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.page : null;
    pager.replaceChildren(
      ...(rows > PAGE.rows
        ? [
            pages("rows", cells[0], cells[1], rows, (by) => {
              row = turned(row, by * PAGE.rows, rows);
              draw();
            }),
          ]
        : []),
      ...(cols > PAGE.cols
        ? [
            pages("columns", cells[2], cells[3], cols, (by) => {
              col = turned(col, by * PAGE.cols, cols);
              draw();
            }),
          ]
        : []),
    );
    if (focused) /** @type {HTMLElement|null} */ (pager.querySelector(`[data-page="${focused}"]`))?.focus();
  }
  draw();
}

/** @param {number} from @param {number} by @param {number} count */
function turned(from, by, count) {
  return from + by < 0 || from + by >= count ? from : from + by;
}

/**
 * @param {string} what @param {number} from @param {number} to @param {number} count @param {(by: number) => void} turn
 */
function pages(what, from, to, count, turn) {
  const turner = (
    /** @type {string} */ words,
    /** @type {string} */ sign,
    /** @type {number} */ by,
    /** @type {boolean} */ ends,
  ) => {
    const props = {
      class: "button",
      "aria-label": `${words} ${what}`,
      "aria-disabled": String(ends),
      "data-page": `${what} ${by}`,
    };
    return button(props, () => turn(by), sign);
  };
  return el(
    "span",
    { class: "page", role: "group", "aria-label": what },
    `${what} ${from.toLocaleString("en")}–${(to - 1).toLocaleString("en")} of ${count.toLocaleString("en")}`,
    turner("previous", "‹", -1, from === 0),
    turner("next", "›", 1, to === count),
  );
}
