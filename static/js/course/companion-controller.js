import { frameOf } from "../walk/frame.js";
import { mountListings } from "../listing/listing-view.js";
import { Predictions } from "../quiz/predictions.js";
import { resting } from "../figures/block.js";
import { el } from "../shared/dom/elements.js";
/** @typedef {import("../walk/walk.js").Walk} Walk */

/**
 * The program beside the text: the line that is being read about is marked, and a line leads to where it is shown.
 * @param {HTMLElement} root @param {{theme: () => "light"|"dark", go: (program: string, step: number) => void}} page
 */
export function mountCompanion(root, { theme, go }) {
  const predictions = new Predictions();
  /** @type {{program: string, walk: Walk, view: ReturnType<typeof mountListings>}|null} */
  let shown = null;

  /** @param {string} program @param {Walk} walk */
  function mount(program, walk) {
    shown?.view.unmount();
    const [forward, backward] = ["forward", "backward"].map((way) => el("div", { class: "listing" }, ""));
    const heading = (/** @type {string} */ way) => el("h2", { class: `is-${way}` }, way);
    root.replaceChildren(heading("forward"), forward, heading("backward"), backward);
    const view = mountListings({ forward, backward }, walk, (step) => go(program, step));
    shown = { program, walk, view };
    return view;
  }

  return {
    /**
     * @param {string} program @param {Walk} walk @param {number|null} step that is shown there; none at first
     * @param {Set<string>} unwritten the tensors whose gradients the text still asks for, and further lines by number
     */
    update(program, walk, step, unwritten) {
      const view = shown?.program === program && shown.walk === walk ? shown.view : mount(program, walk);
      const state = { ...resting(theme(), false), step: step ?? 0 };
      const nowhere = step === null ? { forwardLine: null, backwardLines: null } : {};
      view.update({ ...frameOf(walk, state, predictions), ...nowhere, unwritten });
      root.classList.toggle("unmarked", step === null);
      view.reveal();
    },
    unmount: () => shown?.view.unmount(),
  };
}
