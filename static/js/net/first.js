import { placeOf } from "../model/url.js";
import { requestWalk } from "./api.js";

const fallback = document.documentElement.dataset.lesson ?? "makemore-mlp";

/** Asked for as soon as this module arrives, before the page's own code is there. */
export const firstPlace = placeOf(new URL(location.href), fallback);
export const firstRequest = new AbortController();
const { lesson, seed, exact } = firstPlace;
export const firstWalk = requestWalk(seed === null ? { lesson, exact } : { lesson, seed, exact }, firstRequest.signal);
// whoever awaits it handles the failure; until then it must not count as unhandled
firstWalk.catch(() => undefined);
