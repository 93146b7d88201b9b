import { cleanups, el } from "../shared/dom/elements.js";
import { shapeText } from "../shared/format.js";
import { markShown } from "../shared/dom/shown.js";
import { shapeOf } from "../shared/shape.js";
/** @typedef {import("../walk/found-types.js").Found} Found */

/**
 * Tensors that the code makes itself: layers' weights, drawn numbers, lists of them.
 * @param {HTMLElement} root @param {(name: string) => void} taken one that gets a row, to be changed
 */
export function mountMade(root, taken) {
  const undo = cleanups();
  undo.on(root, "click", ({ target }) => {
    const button = target.closest("[data-name]");
    if (button) taken(button.dataset.name);
  });
  return {
    /** @param {{found: Found|null, defined: Set<string>}} frame `defined` are names that have a row */
    update({ found, defined }) {
      const rows = Object.entries(found?.lifted ?? {}).filter(([name]) => !defined.has(name));
      root.hidden = rows.length === 0;
      if (!markShown(root, rows, found?.labels)) return;
      const items = rows.map(([name, row]) => item(name, found?.labels[name] ?? name, row));
      root.replaceChildren(el("p", {}, "Made by the code:"), el("ul", {}, ...items));
    },
    unmount: undo.run,
  };
}

/** @param {string} name @param {string} label @param {any} row */
function item(name, label, row) {
  const props = { type: "button", class: "link", "data-name": name, "aria-label": `Change ${label}` };
  const shape = shapeText(row.shape ?? shapeOf(row.values));
  const words = [el("code", {}, label), el("span", { class: "shape" }, shape), el("span", {}, row.role)];
  return el("li", {}, ...words, el("button", props, "change"));
}
