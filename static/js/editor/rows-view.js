import { cleanups } from "../shared/dom/elements.js";
/** @typedef {{id: number, name: string}} Row */
/** @typedef {import("./request.js").Mistake} Mistake */
/** @typedef {import("../walk/types.js").Need} Need */
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
  const undo = cleanups();
  /** @type {Map<number, RowView>} */
  const views = new Map();
  /** @type {() => void} */
  let redraw = () => undefined;

  /** @param {Event} event */
  function edited(event) {
    const field = /** @type {HTMLInputElement} */ (event.target);
    const { row, field: name } = field.dataset;
    if (row === undefined || name === undefined) return;
    acts.edit(Number(row), name, field.value);
    if (name === "fill" && field.value === "values") focusValues(Number(row));
  }

  /** @param {number} id */
  function focusValues(id) {
    views.get(id)?.toggle?.(true);
    redraw();
    /** @type {HTMLElement|null|undefined} */ (views.get(id)?.element.querySelector("textarea"))?.focus();
  }
  undo.on(root, "input", edited);
  undo.on(root, "click", (event) => {
    const button = event.target.closest("[data-act]");
    if (!button) return;
    const id = Number(button.dataset.row);
    if (button.dataset.act === "drop") return dropped(id);
    if (button.dataset.act === "take") return acts.take?.(id);
    views.get(id)?.toggle?.();
    redraw();
  });

  /** @param {number} id the row's neighbour takes the focus, so that the keyboard is not lost */
  function dropped(id) {
    const element = views.get(id)?.element;
    const next = /** @type {HTMLElement|null} */ (
      element?.nextElementSibling ?? element?.previousElementSibling ?? null
    );
    acts.drop(id);
    const target = next?.querySelector("[data-act=drop]") ?? root.nextElementSibling?.querySelector("button");
    /** @type {HTMLElement|null|undefined} */ (target)?.focus();
  }

  return {
    /**
     * @param {Row[]} rows @param {Mistake[]} mistakes @param {(row: any) => boolean} unused
     * @param {Set<string>} [indices] names that the program picks places with
     * @param {Need[]} [needs] what is known of rows without a shape
     */
    update(rows, mistakes, unused, indices = new Set(), needs = []) {
      redraw = () => {
        const elements = rows.map((row) => {
          let view = views.get(row.id);
          if (!view) views.set(row.id, (view = draw(row.id)));
          view.update(
            row,
            mistakes.filter(({ id }) => id === row.id),
            unused(row),
            indices,
            needs.find(({ name }) => name === row.name),
          );
          return view.element;
        });
        const same =
          elements.length === root.children.length && elements.every((element, i) => root.children[i] === element);
        if (!same) arrange(root, elements);
        root.hidden = rows.length === 0;
      };
      redraw();
    },
    /** @param {number} id @param {string} field @returns {boolean} */
    focus(id, field) {
      const view = views.get(id);
      if (!view?.element.isConnected) return false;
      if (field === "values" || field === "axes") {
        view.toggle?.(true);
        redraw();
      }
      const target = /** @type {HTMLElement|null} */ (view.element.querySelector(`[data-field="${field}"]`));
      target?.focus();
      target?.scrollIntoView({ block: "nearest" });
      return target !== null;
    },
    unmount: undo.run,
  };
}

/** @param {HTMLElement} root @param {HTMLElement[]} elements without taking the one in use out of the document */
function arrange(root, elements) {
  for (const child of [...root.children]) if (!elements.includes(/** @type {HTMLElement} */ (child))) child.remove();
  elements.forEach((element, i) => {
    if (root.children[i] !== element) root.insertBefore(element, root.children[i] ?? null);
  });
}
