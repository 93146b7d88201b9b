import { placeOf } from "../model/url.js";
import { requestWalk } from "./api.js";

const fallback = document.documentElement.dataset.lesson ?? "makemore-mlp";

/** Asked for as soon as this module arrives, before the page's own code is there. */
export const firstPlace = placeOf(new URL(location.href), fallback);
export const firstRequest = new AbortController();
export const firstWalk = walkLesson(firstPlace, firstRequest.signal);
// whoever awaits it handles the failure; until then it must not count as unhandled
firstWalk.catch(() => undefined);

/** @param {{lesson: string, seed: number|null, exact: boolean}} question @param {AbortSignal} signal */
export function walkLesson({ lesson, seed, exact }, signal) {
  return requestWalk(seed === null ? { lesson, exact } : { lesson, seed, exact }, signal);
}
