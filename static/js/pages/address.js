import { addressOf, placeOf } from "../model/url.js";
/** @typedef {import("../model/url.js").Place} Place */

const CALM = 200;

/**
 * Keeps the address in step: stepping replaces it, once things are calm (browsers throttle more than
 * a few changes a second); a jump makes an entry so that Back returns from it.
 * @param {(place: Place) => void} returned what Back and Forward lead to
 */
export function mountAddress(returned) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  /** @type {string|null} */
  let pending = null;

  function flush() {
    clearTimeout(timer);
    if (pending !== null && pending !== location.pathname + location.search) history.replaceState(null, "", pending);
    pending = null;
  }

  /** @param {Place} place */
  function replace(place) {
    pending = addressOf(place);
    clearTimeout(timer);
    timer = setTimeout(flush, CALM);
  }

  /** @param {Place} place */
  function push(place) {
    flush();
    const address = addressOf(place);
    if (address !== location.pathname + location.search) history.pushState(null, "", address);
  }

  function pop() {
    clearTimeout(timer);
    pending = null;
    returned(placeOf(new URL(location.href), document.documentElement.dataset.lesson ?? ""));
  }
  window.addEventListener("popstate", pop);
  window.addEventListener("pagehide", flush);
  return {
    replace, push, flush,
    unmount() {
      flush();
      window.removeEventListener("popstate", pop);
      window.removeEventListener("pagehide", flush);
    },
  };
}
