import { cleanups } from "../shared/dom/elements.js";
/** @typedef {{id: number, name: string}} Row */
/** @typedef {import("./request.js").Mistake} Mistake */
/** @typedef {import("../walk/found-types.js").Need} Need */
/**
 * @typedef {{element: HTMLElement, toggle?: (open?: boolean) => void, update: (row: any, mistakes: Mistake[],
 *   unused: boolean, indices: Set<string>, need: Need|undefined) => void}} RowView
 * @typedef {{edit: (id: number, field: string, value: string) => void, drop: (id: number) => void,
 *   take?: (id: number) => void}} Acts
 */

/**
 * A list of rows that keep their elements while they are edited, moved or brought back.
 * @param {HTMLElement} root @param {(id: number) => RowView} draw @param {Acts} acts
 */
export function mountRows(root, draw, acts) {
  return new Rows(root, draw, acts);
}

class Rows {
  /** @param {HTMLElement} root @param {(id: number) => RowView} draw @param {Acts} acts */
  constructor(root, draw, acts) {
    this.root = root;
    this.draw = draw;
    this.acts = acts;
    /** @type {Map<number, RowView>} */
    this.views = new Map();
    /** @type {() => void} */
    this.redraw = () => undefined;
    const undo = cleanups();
    undo.on(root, "input", (event) => this.edited(event.target));
    undo.on(root, "click", (event) => this.pressed(event.target.closest("[data-act]")));
    this.unmount = undo.run;
  }

  /** @param {HTMLInputElement} field */
  edited({ dataset, value }) {
    const { row, field } = dataset;
    if (row === undefined || field === undefined) return;
    this.acts.edit(Number(row), field, value);
    if (field === "fill" && value === "values") this.focusValues(Number(row));
  }

  /** @param {HTMLElement|null} button */
  pressed(button) {
    if (!button) return;
    const id = Number(button.dataset.row);
    if (button.dataset.act === "drop") return this.drop(id);
    if (button.dataset.act === "take") return this.acts.take?.(id);
    this.views.get(id)?.toggle?.();
    this.redraw();
  }

  /** @param {number} id */
  focusValues(id) {
    this.views.get(id)?.toggle?.(true);
    this.redraw();
    /** @type {HTMLElement|null|undefined} */ (this.views.get(id)?.element.querySelector("textarea"))?.focus();
  }

  /** @param {number} id the row's neighbour takes the focus, so that the keyboard is not lost */
  drop(id) {
    const element = this.views.get(id)?.element;
    const next = element?.nextElementSibling ?? element?.previousElementSibling;
    this.acts.drop(id);
    const target = next?.querySelector("[data-act=drop]") ?? this.root.nextElementSibling?.querySelector("button");
    /** @type {HTMLElement|null|undefined} */ (target)?.focus();
  }

  /**
   * @param {Row[]} rows @param {Mistake[]} mistakes @param {(row: any) => boolean} unused
   * @param {Set<string>} [indices] names that the program picks places with
   * @param {Need[]} [needs] what is known of rows without a shape
   */
  update(rows, mistakes, unused, indices = new Set(), needs = []) {
    this.redraw = () => {
      const elements = rows.map((row) => {
        const view = this.viewOf(row.id);
        const own = mistakes.filter(({ id }) => id === row.id);
        const need = needs.find(({ name }) => name === row.name);
        view.update(row, own, unused(row), indices, need);
        return view.element;
      });
      arrange(this.root, elements);
      this.root.hidden = rows.length === 0;
    };
    this.redraw();
  }

  /** @param {number} id @returns {RowView} */
  viewOf(id) {
    const view = this.views.get(id) ?? this.draw(id);
    this.views.set(id, view);
    return view;
  }

  /** @param {number} id @param {string} field @returns {boolean} */
  focus(id, field) {
    const view = this.views.get(id);
    if (!view?.element.isConnected) return false;
    if (field === "values" || field === "axes") {
      view.toggle?.(true);
      this.redraw();
    }
    const target = /** @type {HTMLElement|null} */ (view.element.querySelector(`[data-field="${field}"]`));
    target?.focus();
    target?.scrollIntoView({ block: "nearest" });
    return target !== null;
  }
}

/** @param {HTMLElement} root @param {HTMLElement[]} elements without taking the one in use out of the document */
function arrange(root, elements) {
  for (const child of [...root.children]) if (!elements.includes(/** @type {HTMLElement} */ (child))) child.remove();
  elements.forEach((element, i) => {
    if (root.children[i] !== element) root.insertBefore(element, root.children[i] ?? null);
  });
}
