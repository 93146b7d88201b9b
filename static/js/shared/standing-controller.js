import { cleanups } from "./dom/elements.js";

/**
 * Where somebody is in an exercise: at which of its gradients, from 0, how many are written, and how often the open one
 * was tried wrongly.
 * @typedef {{kind: "standing", address: string, place: number, names: string[], written: number,
 *   tries: number}} Standing
 */

/** Tells the page of ours that this one stands in, if it stands in one. @param {Omit<Standing, "kind">} standing */
export function tellStanding(standing) {
  if (parent !== window) parent.postMessage({ kind: "standing", ...standing }, location.origin);
}

/** @param {(standing: Standing) => void} heard called for what a page of ours in this one tells */
export function onStanding(heard) {
  const undo = cleanups();
  undo.on(window, "message", ({ origin, data }) => {
    if (origin === location.origin && data?.kind === "standing") heard(data);
  });
  return { unmount: undo.run };
}
