import { withChanges } from "../walk/changes.js";
import { withPlant } from "../walk/plant.js";
import { placeOf } from "../walk/url.js";
import { requestWalk } from "../walk/walk-api.js";

const fallback = document.documentElement.dataset.lesson ?? "makemore-mlp";

/** Asked for as soon as this module arrives, before the page's own code is there. */
export const firstPlace = placeOf(new URL(location.href), fallback);
export const firstRequest = new AbortController();
export const firstWalk = requestWalk(lessonRequest(firstPlace), firstRequest.signal);
// whoever awaits it handles the failure; until then it must not count as unhandled
firstWalk.catch(() => undefined);

/** @param {import("../walk/url.js").Place} question @returns {string} the request for its walk */
export function lessonRequest({ lesson, seed, exact, changes, plant }) {
  const walked = JSON.stringify(seed === null ? { lesson, exact } : { lesson, seed, exact });
  return withChanges(withPlant(walked, plant), changes);
}
