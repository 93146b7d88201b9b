import { counted } from "../../shared/plural.js";
import { recordOf } from "./games.js";

/**
 * What this browser knows of each network in the choice.
 * @param {HTMLElement} root @param {import("./games.js").Games} games
 */
export function drawRecords(root, games) {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-record]"))) {
    const { found, best } = recordOf(games, place.dataset.record ?? "");
    place.textContent = found ? `${counted(found, "bug")} found, at best ${counted(best, "point")}` : "";
  }
  const field = /** @type {HTMLInputElement} */ (root.querySelector("[name=seed]"));
  if (!field.value) field.value = String(Math.floor(Math.random() * 1000));
}
