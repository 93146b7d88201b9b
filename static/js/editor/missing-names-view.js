import { cleanups, el, icon } from "../shared/dom/elements.js";
import { shapeText } from "../shared/format.js";
import { prose } from "../shared/prose-view.js";
import { markShown } from "../shared/dom/shown.js";
/** @typedef {{name: string, number: boolean, need: import("../walk/found-types.js").Need|undefined}} Offer */

/**
 * Where program and tables disagree: names that nobody defines, each one click away from its row, and rows that nobody
 * uses.
 * @param {HTMLElement} root @param {{add: (names: Offer[]) => void, drop: (names: string[]) => void}} acts
 */
export function mountMissing(root, acts) {
  const undo = cleanups();
  /** @type {Offer[]} */
  let offers = [];
  /** @type {string[]} */
  let idle = [];
  undo.on(root, "click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.act === "drop") acts.drop(idle);
    else acts.add(button.dataset.name ? offers.filter(({ name }) => name === button.dataset.name) : offers);
  });
  return {
    /** @param {Offer[]} next @param {string[]} unused */
    update(next, unused) {
      if (!markShown(root, next, unused)) return;
      [offers, idle] = [next, unused];
      root.hidden = !next.length && !unused.length;
      const buttons = next.map(({ name, number, need }) => {
        const shape = need?.shape && !number ? ` ${shapeText(need.shape)}` : "";
        const button = el(
          "button",
          { type: "button", class: "offer", "data-name": name },
          icon("plus"),
          el("span", {}, "add ", el("code", {}, name), number ? " = …" : shape),
        );
        return need && !number ? el("div", { class: "known" }, button, el("p", {}, ...prose(need.because))) : button;
      });
      const all =
        next.length > 1 ? el("button", { type: "button", class: "link all" }, `add all ${next.length}`) : null;
      const wanted = next.length
        ? [el("div", { class: "wanted" }, el("p", {}, "Used, but not defined:"), ...buttons, all)]
        : [];
      root.replaceChildren(...wanted, ...(unused.length ? [leftOver(unused)] : []));
    },
    unmount: undo.run,
  };
}

/** @param {string[]} names */
function leftOver(names) {
  const drop = el(
    "button",
    { type: "button", class: "link", "data-act": "drop" },
    names.length === 1 ? "remove it" : `remove all ${names.length}`,
  );
  const list = names.flatMap((name, i) => [i ? ", " : "", el("code", {}, name)]);
  return el("p", { class: "left-over" }, "Not used by the program: ", ...list, ". ", drop);
}
