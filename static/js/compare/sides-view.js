import { at } from "../shared/address.js";
import { toldApart } from "../shared/format.js";
import { numberIn } from "../shared/json-number.js";
import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { changeWords } from "../walk/changes.js";
import { placeOf } from "../walk/url.js";
import { addressOf, urlOf } from "../walk/side-by-side.js";
/** @typedef {import("./pair-loader.js").Pair} Pair */

/**
 * What stands on either side, and the losses of both.
 * @param {HTMLElement} root @param {string[]} links @param {Pair} pair
 */
export function drawSides(root, links, { walks, comparison }) {
  const losses = toldApart([comparison.left, comparison.right].map(numberIn));
  const swap = addressOf({ left: links[1], right: links[0], moment: 0, projector: false });
  root.replaceChildren(
    ...walks.map((walk, i) =>
      el(
        "p",
        { class: `side-of is-${i ? "right" : "left"}` },
        el("span", { class: "side-name" }, i ? "right" : "left"),
        el("a", { class: "link", href: at(links[i]) }, walk.document.title),
        ...byHand(walk, links[i]),
        el("span", { class: "side-loss" }, `${walk.lossName} ${losses[i]}`),
      ),
    ),
    el(
      "p",
      { class: "side-tools" },
      el("a", { class: "link", href: swap }, "swap"),
      " · ",
      el("a", { class: "link", href: at("/compare") }, "other walks"),
    ),
  );
}

/** @param {import("../walk/walk.js").Walk} walk @param {string} link @returns {Node[]} what was done to it by hand */
function byHand({ document: { planted } }, link) {
  const url = urlOf(link);
  const { changes } = url ? placeOf(url, "") : { changes: [] };
  const told = [
    ...changes.map(changeWords),
    ...(planted ? [`step ${planted.step + 1}: ${planted.label || "a line of one’s own"}`] : []),
  ];
  return told.length ? [el("span", { class: "side-hand" }, ...prose(told.join(", ")))] : [];
}
