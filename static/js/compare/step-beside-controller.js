import { mountEquation } from "../equation/equation-view.js";
import { mountFigure } from "../figures/figure-controller.js";
import { headOf } from "../figures/step-figure-controller.js";
import { el } from "../shared/dom/elements.js";
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("../figures/figure-controller.js").Look} Look */

/**
 * How one side makes its tensor: the line and its picture, whose cells open.
 * @param {HTMLElement} root @param {Walk} walk @param {string} label @param {Look} look
 */
export function mountStepBeside(root, walk, label, look) {
  const head = el("div", { class: "figure-head" });
  const box = el("div", { class: "figure-box" });
  root.setAttribute("aria-label", `The line: ${label}`);
  root.replaceChildren(el("p", { class: "step-beside-label" }, label), head, box);
  /** @type {ReturnType<typeof mountFigure>|null} */
  let figure = null;
  /** @type {number|null} */
  let shown = null;

  return {
    /** @param {number|null} step null where this side has no such line */
    update(step) {
      box.hidden = head.hidden = step === null;
      root.classList.toggle("empty", step === null);
      if (step === null) return;
      head.replaceChildren(...headOf(walk, step));
      if (figure && shown !== step) figure.shut();
      const closed = shown === step ? {} : { cell: null, of: null, tensor: null, path: null, trail: [] };
      shown = step;
      if (figure) figure.show({ step, ...closed });
      else figure = mountFigure(box, walk, { step }, mountEquation, look);
    },
    unmount() {
      figure?.unmount();
      root.replaceChildren();
    },
  };
}
