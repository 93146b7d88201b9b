import { button } from "../shared/dom/button.js";
import { shapeText } from "../shared/format.js";
import { cellOnSheet } from "./sheet.js";
import { mountCellGrid } from "./cell-grid-view.js";
import { byId, cleanups, el } from "../shared/dom/elements.js";
import { drawBar } from "../evidence/bar-view.js";
import { KINDS } from "../evidence/kinds.js";
import { makeLargePlot } from "./large-plot-view.js";
import { makeNumberTable } from "./number-table-view.js";
import { valueIn } from "./pooling.js";
import { csvOf, numpyOf } from "./number-texts.js";
import { cellSays } from "./partner-words.js";
import { numbersAt, numbersOf, questionOf, sidesOf, subjectName } from "./table-words.js";
import { readable } from "./view-words.js";
import { Zoom } from "./zoom-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/pick.js").Subject} Subject */
/** @typedef {import("../shared/tensor.js").Tensor} Tensor */
/** @typedef {import("../evidence/kinds.js").Kind} Kind */
/**
 * @typedef {{frame: Frame, kind: Kind, tensor: Tensor, subject: Subject,
 *   sheet: import("../lens/pointing.js").Sheet|null, cellAt: (at: import("./viewport.js").Place) => number[]}} Shown
 */

/**
 * The dialog in which every number of a tensor can be reached: a large picture, and a table of what is in it, whose
 * cells open.
 */
class TensorDialog {
  /**
   * @param {(subject: Subject, cell: number[]) => void} look
   * @param {typeof import("./window-loader.js").makeWindowLoader} windowsOf
   */
  constructor(look, windowsOf) {
    this.look = look;
    this.undo = cleanups();
    /** @type {Shown|null} */
    this.shown = null;
    this.dialog = /** @type {HTMLDialogElement} */ (byId("tensor-dialog"));
    this.tabs = byId("tensor-tabs");
    this.table = makeNumberTable(byId("tensor-table"), byId("tensor-pager"));
    this.plot = makeLargePlot(
      () => this.dialog.open,
      (at) => this.#point(at),
    );
    this.foot = drawFoot();
    this.lens = el("div", { class: "zoom" });
    this.zoom = new Zoom(this.lens, windowsOf, (...seen) => this.#inView(...seen));
    this.mark = el("div", { class: "cell-mark plot-mark", hidden: true });
    byId("tensor-chart").replaceChildren(this.plot.root, this.foot.root, this.lens, this.mark);
    this.#listen(byId("tensor-table"));
  }

  /** @param {HTMLElement} table */
  #listen(table) {
    const { undo, dialog } = this;
    undo.part(mountCellGrid(table, (row, col) => this.#pick(row, col)));
    undo.on(dialog, "click", (event) => {
      if (event.target.closest("[data-close]")) dialog.close();
    });
    for (const type of ["pointerover", "focusin"])
      undo.on(table, type, (event) => {
        const at = this.table.under(event);
        if (at) this.#point(at);
      });
    undo.on(table, "pointerleave", () => this.#point(null));
    undo.on(dialog, "keydown", (event) => !this.lens.hidden && this.zoom.press(event));
    undo.on(dialog, "close", () => this.zoom.close());
  }

  /** @param {Frame} frame @param {string} which @param {number[]|null} [at] a cell to be found in a large tensor */
  show = (frame, which, at = null) => {
    const shown = shownOf(frame, which);
    if (!shown) return;
    this.shown = shown;
    this.#point(null);
    byId("tensor-title").replaceChildren(...titleOf(shown));
    const kinds = KINDS.filter((other) => other.tensor(frame));
    this.tabs.replaceChildren(...kinds.map((kind) => this.#tab(frame, kind, which)));
    const tile = shown.tensor.block !== null;
    this.plot.root.hidden = this.foot.root.hidden = tile;
    this.lens.hidden = !tile;
    if (!this.dialog.open) this.dialog.showModal();
    if (tile) this.#showTile(shown, at);
    else this.#showWhole(shown);
  };

  /** @param {Shown} shown */
  #showWhole({ frame, tensor, subject, kind }) {
    this.zoom.close();
    this.foot.update(frame, tensor, kind.which);
    const sides = sidesOf(frame, tensor);
    this.table.all(numbersOf(tensor, sides));
    this.plot.draw(frame, tensor, subject, subjectName(frame.node.variable, kind.which).join(", "), sides);
  }

  /** @param {Shown} shown @param {number[]|null} at */
  #showTile({ frame, tensor, kind }, at) {
    byId("tensor-pager").hidden = true;
    this.table.prompt();
    this.zoom.show({
      walk: frame.walk,
      node: frame.node,
      title: subjectName(frame.node.variable, kind.which).join(", "),
      tile: tensor,
      question: questionOf(frame, kind.which),
      theme: frame.state.theme,
    });
    if (at) this.zoom.find(at);
  }

  /**
   * A cell that is pointed at in the picture is marked in the table, too, and the other way round; below them stand its
   * number and the cells that it comes from or goes to.
   * @param {import("./viewport.js").Place|null} at
   */
  #point(at) {
    const { shown, table, foot, mark } = this;
    const here = shown?.sheet ? at : null;
    table.point(here);
    foot.says.textContent = shown?.sheet && here ? cellSays(shown.frame, shown.sheet, shown.cellAt(here)) : "";
    const box = here && this.plot.boxOf(here);
    mark.hidden = !box;
    for (const [side, length] of Object.entries(box ?? {})) mark.style.setProperty(side, `${length}px`);
  }

  /** What is in view, once it is here and few enough to read. @type {import("./zoom-view.js").Seen} */
  #inView(view, layers, picked) {
    const cells = readable(view, layers);
    if (!this.shown || !cells) return this.table.prompt();
    const best = layers.best(view);
    const numbers = numbersAt(this.shown.frame, (row, col) => valueIn(best, "mean", row, col));
    this.table.part(numbers, cells, picked);
  }

  /** @param {Frame} frame @param {Kind} kind @param {string} which */
  #tab(frame, kind, which) {
    const show = () => {
      this.show(frame, kind.which);
      /** @type {HTMLElement|null} */ (this.tabs.querySelector("[aria-pressed=true]"))?.focus();
    };
    return button({ "aria-pressed": String(kind.which === which) }, show, kind.title);
  }

  /** @param {number} row of the table @param {number} col */
  #pick(row, col) {
    if (!this.shown) return;
    const { subject, cellAt } = this.shown;
    this.dialog.close();
    this.look(subject, cellAt(this.table.placeOf(row, col)));
  }

  unmount = () => {
    this.zoom.unmount();
    if (this.dialog.open) this.dialog.close();
    byId("tensor-chart").replaceChildren();
    this.undo.run();
  };
}

/** @param {ConstructorParameters<typeof TensorDialog>} given */
export const mountTensorDialog = (...given) => new TensorDialog(...given);

/** @param {Frame} frame @param {string} which @returns {Shown|null} */
function shownOf(frame, which) {
  const kind = KINDS.find((candidate) => candidate.which === which);
  const tensor = kind?.tensor(frame);
  if (!kind || !tensor) return null;
  const { name, shape } = frame.node;
  const subject = /** @type {Subject} */ ({ tensor: name, of: which === "value" ? "value" : "gradient" });
  const answers = !tensor.block && (which === "value" || which === "manual");
  return {
    frame,
    kind,
    tensor,
    subject,
    sheet: answers ? { tensor, subject } : null,
    cellAt: ({ row, col }) => (tensor.block ? cellOnSheet(shape, row, col) : tensor.cellAt(row, col)),
  };
}

/** @param {Shown} shown @returns {(Node|string)[]} */
function titleOf({ frame, kind, tensor }) {
  const [name, what] = subjectName(frame.node.variable, kind.which);
  return [el("span", { class: "mono" }, name), `, ${what} `, el("span", { class: "mono" }, shapeText(tensor.whole))];
}

/** What stands below the picture: what is pointed at, how far the numbers reach, and ways to take them along. */
function drawFoot() {
  const bar = el("div", { class: "bar plot-bar" });
  const says = el("p", { class: "plot-says" });
  const copies = el("span", { class: "plot-copies" });
  return {
    root: el("div", { class: "plot-foot" }, says, copies, bar),
    says,
    /** @param {Frame} frame @param {Tensor} tensor @param {string} which */
    update(frame, tensor, which) {
      const { variable } = frame.node;
      copies.replaceChildren(
        copyButton("copy as CSV", () => csvOf(tensor)),
        copyButton("as NumPy", () => numpyOf(tensor, which === "value" ? variable : `d${variable}`)),
      );
      drawBar(bar, tensor, tensor.stats.maxAbs, frame);
    },
  };
}

/** @param {string} words @param {() => string} text @returns {HTMLElement} */
function copyButton(words, text) {
  const done = () =>
    navigator.clipboard.writeText(text()).then(
      () => "copied",
      () => "could not copy",
    );
  const made = button({ class: "link" }, async () => (made.textContent = await done()), words);
  return made;
}
