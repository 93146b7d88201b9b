import { cleanups, el, icon } from "../dom.js";
/** @typedef {{name: string, number: boolean}} Offer */

/** Names that the program uses and nobody defines, each one click away from its row. @param {HTMLElement} root @param {(names: Offer[]) => void} add */
export function mountMissing(root, add) {
  const undo = cleanups();
  /** @type {Offer[]} */
  let offers = [];
  undo.on(root, "click", (event) => {
    const button = event.target.closest("button");
    if (button) add(button.dataset.name ? offers.filter(({ name }) => name === button.dataset.name) : offers);
  });
  return {
    /** @param {Offer[]} next */
    update(next) {
      if (JSON.stringify(next) === JSON.stringify(offers) && root.hidden === !next.length) return;
      offers = next;
      root.hidden = !next.length;
      const buttons = next.map(({ name, number }) => el("button", { type: "button", class: "offer", "data-name": name }, icon("plus"), el("span", {}, "add ", el("code", {}, name), number ? " = …" : "")));
      const all = next.length > 1 ? el("button", { type: "button", class: "link all" }, `add all ${next.length}`) : null;
      root.replaceChildren(el("p", {}, "Used, but not defined:"), ...buttons, ...(all ? [all] : []));
    },
    unmount: undo.run,
  };
}
