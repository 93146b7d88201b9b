import { byId, cleanups } from "../shared/dom/elements.js";

/** @returns {string} what there is to read: all that is seen of the heading, the picture and the reason */
export function wordsOnStage() {
  return ["heading", "picture", "reason"].map((id) => byId(id).innerText).join(" ");
}

/**
 * What keeps a step on the stage: a pointer that holds something, and a tab that nobody sees.
 * @param {(by: string, holds: boolean) => void} hold
 */
export function mountHolds(hold) {
  const undo = cleanups();
  const seen = () => hold("tab", document.hidden);
  undo.on(document, "pointerdown", () => hold("pointer", true));
  for (const type of ["pointerup", "pointercancel"]) undo.on(document, type, () => hold("pointer", false));
  undo.on(document, "visibilitychange", seen);
  seen();
  return { unmount: undo.run };
}
