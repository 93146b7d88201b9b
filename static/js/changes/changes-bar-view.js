import { changeWords } from "../walk/changes.js";
import { cleanups, el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
/** @typedef {import("../walk/changes.js").Change} Change */

/**
 * Says which numbers of the walk were changed by hand, and puts them back.
 * @param {HTMLElement} root
 * @param {{keep: (changes: Change[]) => void, own: () => void}} acts walks with these alone; takes the walk over as a
 *   program of one's own
 */
export function mountChangesBar(root, acts) {
  const undo = cleanups();
  /** @type {Change[]} */
  let shown = [];
  const words = el("p", { class: "changes-words" });
  const last = el("button", { type: "button", class: "link" }, "undo the last");
  const all = el("button", { type: "button", class: "link" });
  const own = el("button", { type: "button", class: "link" }, "keep as a program");
  root.replaceChildren(words, last, all, own);
  undo.on(last, "click", () => acts.keep(shown.slice(0, -1)));
  undo.on(all, "click", () => acts.keep([]));
  undo.on(own, "click", acts.own);

  return {
    /** @param {Change[]} changes */
    update(changes) {
      if (changes === shown) return;
      shown = changes;
      root.hidden = changes.length === 0;
      last.hidden = changes.length < 2;
      all.textContent = changes.length < 2 ? "put it back" : "put all back";
      words.replaceChildren("Changed: ", ...prose(changes.map(changeWords).join(", then ")), ".");
    },
    unmount: undo.run,
  };
}
