import { isPacked } from "./link.js";
import { placeOf as walkPlaceOf, queryOf } from "../walk/url.js";
import { at } from "../shared/address.js";
/** @typedef {import("../walk/url.js").Place} Place */

/** @param {URL} url @returns {Place} on this page the program, packed, stands where the lesson's name does elsewhere */
export function placeOf(url) {
  return { ...walkPlaceOf(url, ""), seed: null, lesson: isPacked(url.hash) ? url.hash : "" };
}

/** @param {URL} url @returns {boolean} whether it shows the walk rather than the form */
export function isWalk(url) {
  return url.searchParams.has("step");
}

/** @param {Place} place @param {boolean} walk @returns {string} */
export function addressOf(place, walk) {
  if (!walk) return at(`/code${place.lesson}`);
  const query = queryOf(place);
  return at(`/code?${place.step > 0 ? query : ["step=1", query].filter(Boolean).join("&")}${place.lesson}`);
}
