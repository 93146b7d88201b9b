import { byId, el } from "../shared/dom/elements.js";
import { columnsOf, farOf } from "./strip.js";
/** @typedef {import("./types.js").Strip} Strip */

/**
 * Where the class is in the exercise that it is shown; nothing while nobody is in one.
 * @param {Strip|null|undefined} strip @param {string[]} names of its gradients @param {number} present
 */
export function showStrip(strip, names, present) {
  byId("strip").hidden = !strip;
  if (!strip) return;
  const cells = columnsOf(strip, names).map(({ share, stuck, says }) => {
    const cell = el("li", { title: says, class: stuck ? "stuck" : "" }, el("span", { class: "unseen" }, says));
    cell.style.setProperty("--share", String(share));
    return cell;
  });
  byId("strip-columns").replaceChildren(...cells);
  byId("strip-says").textContent = farOf(strip, present);
}
