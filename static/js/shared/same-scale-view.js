import { el } from "./dom/elements.js";
/** @typedef {import("./tensor.js").Tensor} Tensor */

/** Scales nearer to each other than this look the same. */
const ALIKE = 1.05;

/**
 * The switch between scales of their own and one for all, there where that makes a difference.
 * @param {() => void} changed
 */
export function mountSameScale(changed) {
  let same = false;
  const root = el("button", { type: "button", class: "link same-scale", "aria-pressed": "false" }, "same scale");
  root.addEventListener("click", () => {
    same = !same;
    root.setAttribute("aria-pressed", String(same));
    changed();
  });
  return {
    root,
    /**
     * @param {(Tensor|null)[]} tensors that are compared @param {number[]} own what full colour stands for in each
     * @returns {number} what it stands for in all of them; 0 where each keeps its own
     */
    peakOf(tensors, own) {
      const there = own.filter((_, i) => tensors[i]);
      const most = Math.max(0, ...there);
      root.hidden = there.length < 2 || most <= ALIKE * Math.min(...there);
      return same && !root.hidden ? most : 0;
    },
    unmount: () => root.remove(),
  };
}
