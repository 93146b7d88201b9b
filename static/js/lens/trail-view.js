import { crumbText } from "../walk/trail.js";
import { cleanups, el } from "../shared/dom/elements.js";
/** @typedef {import("../walk/trail.js").Crumb} Crumb */
/** @typedef {import("../walk/walk.js").Walk} Walk */

/** The numbers that led here, each a way back. @param {(position: number) => void} back */
export function mountTrail(back) {
  const undo = cleanups();
  const list = el("ol", {});
  const root = el("nav", { class: "trail", "aria-label": "The way here", hidden: true }, list);
  undo.on(list, "click", (event) => {
    const button = event.target.closest("button");
    if (button) back(Number(button.dataset.position));
  });
  return {
    root,
    /** @param {Walk} walk @param {Crumb[]} trail @param {string} here the name of the number that is open */
    update(walk, trail, here) {
      root.hidden = trail.length === 0;
      const crumbs = trail.map((crumb, position) =>
        el("li", {}, el("button", { type: "button", "data-position": position }, crumbText(walk, crumb))),
      );
      list.replaceChildren(...crumbs, el("li", { "aria-current": "true" }, here));
      // the latest crumbs matter most
      list.scrollLeft = trail.length ? list.scrollWidth : 0;
      list.classList.toggle("cut", trail.length > 0 && list.scrollLeft > 0);
    },
    unmount: undo.run,
  };
}
