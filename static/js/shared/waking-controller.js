import { cleanups } from "./dom/elements.js";

/**
 * What woke up looks at once, whatever its connection seems to be.
 * @param {() => void} again @returns {{unmount: () => void}}
 */
export function onWaking(again) {
  const undo = cleanups();
  undo.on(document, "visibilitychange", () => document.visibilityState === "visible" && again());
  undo.on(window, "pageshow", (event) => event.persisted && again());
  undo.on(window, "online", () => again());
  return { unmount: undo.run };
}
