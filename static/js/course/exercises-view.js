import { el } from "../shared/dom/elements.js";
import { at } from "../shared/address.js";
/** @typedef {import("../walk/walk.js").Walk} Walk */

/**
 * What there is to be written after a chapter: each gradient of its program, a link each.
 * @param {HTMLElement} root @param {string} chapter
 */
export function mountExercises(root, chapter) {
  const list = el("ul", { class: "exercise-links" });
  const path = at(`/practise/${encodeURIComponent(chapter)}`);
  const from = encodeURIComponent(`/learn/${chapter}#${root.id}`);
  return {
    /** @param {Walk} walk */
    update(walk) {
      const named = walk.document.nodes.filter(({ name, gradient }) => gradient && name !== walk.document.loss.name);
      const steps = named.filter(({ name }) => walk.backwardIndex.has(name)).reverse();
      const links = steps.map(({ name, variable }) =>
        el("li", {}, el("a", { href: `${path}?at=${encodeURIComponent(name)}&from=${from}` }, `d${variable}`)),
      );
      list.replaceChildren(...links);
      if (!list.isConnected) root.append(list);
      root.hidden = links.length === 0;
    },
    unmount: () => root.replaceChildren(),
  };
}
