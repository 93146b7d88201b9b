import { cleanups, el } from "../shared/dom/elements.js";
import { markShown } from "../shared/dom/shown.js";

/**
 * The sizes that guesses share, each in one place.
 * @param {HTMLElement} root @param {(letter: string, size: string) => void} resized
 */
export function mountSizes(root, resized) {
  const undo = cleanups();
  undo.on(root, "change", ({ target }) => {
    const { dataset, value } = /** @type {HTMLInputElement} */ (target);
    if (/^[1-9]\d{0,4}$/.test(value.trim())) resized(dataset.letter ?? "", value.trim());
  });
  return {
    /** @param {Map<string, number>} sizes */
    update(sizes) {
      root.hidden = sizes.size === 0;
      if (!markShown(root, [...sizes])) return;
      const letters = [...sizes].map(([letter, size]) => field(letter, size));
      root.replaceChildren(el("span", { class: "said" }, "guessed sizes"), ...letters);
    },
    unmount: undo.run,
  };
}

/** @param {string} letter @param {number} size */
function field(letter, size) {
  const props = { value: String(size), size: 3, inputmode: "numeric", "data-letter": letter, autocomplete: "off" };
  return el("label", {}, el("span", {}, `${letter} =`), el("input", { ...props, "aria-label": `Size ${letter}` }));
}
