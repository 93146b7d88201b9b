import { recall, remember } from "../shared/dom/remembered.js";
import { restored } from "./progress.js";
/** @typedef {import("./progress.js").Progress} Progress */

/** @param {string} chapter @returns {Progress} what this browser remembers of it; a fresh start where it may not */
export function keptProgress(chapter) {
  return restored(recall(`chapter:${chapter}`));
}

/** @param {string} chapter @param {Progress} progress */
export function keepProgress(chapter, progress) {
  remember(`chapter:${chapter}`, JSON.stringify(progress));
}
