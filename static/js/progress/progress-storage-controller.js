import { el } from "../shared/dom/elements.js";
import { recall, remember } from "../shared/dom/remembered.js";
import { boxesIn } from "../practice/boxes.js";
import { begun, fileOf, progressIn } from "./progress.js";
/** @typedef {import("./progress.js").Progress} Progress */
/** @typedef {import("../practice/boxes.js").Boxes} Boxes */

const DRILLS = "drills";

/** @returns {Boxes} where every drill lies, as this browser kept it */
export function restoredBoxes() {
  try {
    return boxesIn(JSON.parse(recall(DRILLS) ?? "null"));
  } catch {
    return boxesIn(null);
  }
}

/** @param {Boxes} boxes */
export function keepBoxes(boxes) {
  remember(DRILLS, JSON.stringify(boxes));
}

/** @param {string} id @param {string} title @returns {Progress} what this browser kept, or a beginning */
export function restoredProgress(id, title) {
  const kept = progressIn(recall(`practise:${id}`) ?? "");
  return kept ? { ...kept, id, title } : begun(id, title);
}

/** @param {Progress} progress */
export function keepProgress(progress) {
  remember(`practise:${progress.id}`, fileOf(progress));
}

/** @param {Progress} progress @returns {string} the name of the file in the downloads */
export function saveProgress(progress) {
  const name = `practise-${progress.title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.json`;
  const address = URL.createObjectURL(new Blob([fileOf(progress, restoredBoxes())], { type: "application/json" }));
  el("a", { href: address, download: name }).click();
  // the browser has taken hold of the blob only once the click has been handled
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return name;
}
