import { sizesOf, spreadWords, updateWords } from "./sizes.js";
import { byId, cleanups, el } from "../shared/dom/elements.js";
import { numberText, shapeText } from "../shared/format.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("./sizes.js").Size} Size */

/**
 * The dialog of every gradient's size, in the order of the way back: where they vanish, or explode.
 * @param {{go: (index: number) => void}} acts
 */
export function mountSizes({ go }) {
  const undo = cleanups();
  const dialog = /** @type {HTMLDialogElement} */ (byId("sizes-dialog"));

  undo.on(dialog, "click", (event) => {
    const step = event.target.closest("[data-step]");
    if (step) go(Number(step.dataset.step));
    if (step || event.target === dialog || event.target.closest("[data-close]")) dialog.close();
  });
  undo.add(() => dialog.open && dialog.close());
  return {
    /** @param {import("../walk/walk.js").Walk} walk @param {number} rate of the step of gradient descent */
    open(walk, rate) {
      const sizes = sizesOf(walk);
      const updates = sizes.some(({ perWeight }) => perWeight !== null);
      byId("sizes").replaceChildren(
        el("p", {}, ...prose(spreadWords(sizes))),
        el(
          "div",
          { class: "sizes-table", tabindex: 0, role: "region", "aria-labelledby": "sizes-title" },
          table(sizes, updates, rate),
        ),
        ...(updates ? [el("p", { class: "sizes-note" }, updateWords(rate))] : []),
      );
      if (!dialog.open) dialog.showModal();
    },
    unmount: undo.run,
  };
}

/** @param {Size[]} sizes @param {boolean} updates @param {number} rate */
function table(sizes, updates, rate) {
  const titles = ["gradient", "shape", "norm", "per cell (rms)", "largest", ...(updates ? ["update / weight"] : [])];
  return el(
    "table",
    {},
    el("thead", {}, el("tr", {}, ...titles.map((title) => el("th", { scope: "col" }, title)))),
    el("tbody", {}, ...sizes.map((size) => row(size, updates, rate))),
  );
}

/** @param {Size} size @param {boolean} updates @param {number} rate */
function row({ variable, index, shape, zero, norm, rms, largest, perWeight, share }, updates, rate) {
  const name = el(
    "button",
    { type: "button", class: "tally-step", "data-step": index, title: `to step ${index + 1}` },
    variable,
  );
  const bar = el("span", { class: "size-bar", "aria-hidden": "true" });
  bar.style.width = `${Math.round(100 * share)}%`;
  const numbers = zero
    ? [el("td", { class: "true-zero", colspan: 3 }, "true zero")]
    : [
        el("td", {}, numberText(norm, 3)),
        el("td", { class: "per-cell" }, el("span", {}, numberText(rms, 3)), bar),
        el("td", {}, numberText(largest, 3)),
      ];
  const moved = perWeight === null || zero ? "" : numberText(rate * perWeight, 3);
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, name),
    el("td", { class: "shape" }, shapeText(shape)),
    ...numbers,
    ...(updates ? [el("td", {}, moved)] : []),
  );
}
