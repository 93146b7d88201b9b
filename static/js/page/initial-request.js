import { ApiError } from "../shared/api.js";
import { withChanges } from "../walk/changes.js";
import { withPlant } from "../walk/plant.js";
import { withWord, isTrained, unpackStep, withRounding } from "../walk/trained-step.js";
import { placeOf } from "../walk/url.js";
import { requestWalk } from "../walk/walk-api.js";

const fallback = document.documentElement.dataset.lesson ?? "makemore-mlp";

/** Asked for as soon as this module arrives, before the page's own code is there. */
export const firstPlace = placeOf(new URL(location.href), fallback);
export const firstRequest = new AbortController();
/** The step of a training run that the address holds in place of the lesson's own numbers, once it is unpacked. */
export const trained = { hash: isTrained(location.hash) ? location.hash : "", taken: 0, request: "" };
export const unpacked = trained.hash ? unpack() : null;
export const firstWalk = unpacked ? unpacked.then(ask) : ask();
// whoever awaits it handles the failure; until then it must not count as unhandled
firstWalk.catch(() => undefined);

function ask() {
  if (trained.hash && !trained.request) {
    const message = "This link was cut off on its way, so the numbers of its step are not all there.";
    throw new ApiError({ code: "link-cut", message, hint: "Ask for it again, or walk the lesson itself." }, 422);
  }
  return requestWalk(lessonRequest(firstPlace), firstRequest.signal);
}

async function unpack() {
  Object.assign(trained, await unpackStep(trained.hash));
}

/** @param {import("../walk/url.js").Place} question @returns {string} the request for its walk */
export function lessonRequest({ lesson, seed, word, exact, changes, plant }) {
  const own = JSON.stringify({ lesson, ...(seed === null ? {} : { seed }), ...(word ? { word } : {}), exact });
  const walked = trained.request ? withRounding(withWord(trained.request, word), exact) : own;
  return withChanges(withPlant(walked, plant), changes);
}
