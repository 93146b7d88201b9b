import { el } from "../../shared/dom/elements.js";
import { counted } from "../../shared/plural.js";
import { prose } from "../../shared/prose-view.js";
import { addressOf, following } from "./address.js";
import { halvings, looksOf, pointsOf } from "./game.js";
/** @typedef {import("./board-view.js").Frame} Frame */

/**
 * How a game ended: the line as it was and as it should be, what is wrong with it, and where to go on.
 * @param {HTMLElement} root @param {import("../types.js").Bug} bug @param {import("./address.js").Asked} asked
 * @param {Frame} frame
 */
export function drawEnd(root, bug, asked, { game, reveal }) {
  root.hidden = !reveal;
  if (!reveal) return root.replaceChildren();
  if (root.dataset.line === String(reveal.line)) return;
  root.dataset.line = String(reveal.line);
  const how = reveal.found ? "Found" : "Shown";
  const looks = counted(looksOf(game), "look");
  root.replaceChildren(
    el("h2", { tabindex: "-1" }, `${how}: ${counted(pointsOf(game), "point")}, ${looks}`),
    el("p", {}, ...prose(`Line ${reveal.line + 1}: ${reveal.label}. ${reveal.why}`)),
    el(
      "dl",
      { class: "two-lines" },
      el("dt", {}, "wrong"),
      el("dd", { class: "is-wrong" }, el("code", {}, reveal.wrong)),
      el("dt", {}, "right"),
      el("dd", {}, el("code", {}, reveal.right)),
    ),
    el(
      "p",
      { class: "fact" },
      `Where each look halves the lines, it takes about ${counted(halvings(bug.lines.length), "nudge")}.`,
    ),
    el(
      "p",
      { class: "bench-tools" },
      el("a", { class: "button strong", href: addressOf(following(asked)) }, "Next seed"),
      el("a", { class: "link", href: addressOf({ ...asked, seed: null }) }, "another network"),
    ),
  );
}
