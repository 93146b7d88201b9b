import { trailIn } from "../walk/trail.js";
/** @typedef {import("../walk/url.js").Place} Place */
/** @typedef {Place & {trail: import("../walk/trail.js").Crumb[]}} Visit a place, and the way that led to it */

const CALM = 200;

/**
 * Keeps the address in step: stepping replaces it, once things are calm (browsers throttle more than
 * a few changes a second); a jump makes an entry so that Back returns from it.
 * @param {{addressOf: (place: Place) => string, placeOf: (url: URL) => Place}} form how this page writes its address
 * @param {(visit: Visit) => void} returned what Back and Forward lead to
 */
export function mountAddress(form, returned) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  /** @type {{address: string, trail: Visit["trail"]}|null} */
  let pending = null;

  function flush() {
    clearTimeout(timer);
    if (pending !== null && pending.address !== shown())
      history.replaceState({ trail: pending.trail }, "", pending.address);
    pending = null;
  }

  /** @param {Visit} visit */
  function replace(visit) {
    pending = { address: form.addressOf(visit), trail: visit.trail };
    clearTimeout(timer);
    timer = setTimeout(flush, CALM);
  }

  /** @param {Visit} visit */
  function push(visit) {
    flush();
    const address = form.addressOf(visit);
    if (address !== shown()) history.pushState({ trail: visit.trail }, "", address);
  }

  /** @param {PopStateEvent} event */
  function pop(event) {
    clearTimeout(timer);
    pending = null;
    returned({ ...form.placeOf(new URL(location.href)), trail: trailIn(event.state) });
  }
  window.addEventListener("popstate", pop);
  window.addEventListener("pagehide", flush);
  return {
    replace,
    push,
    flush,
    unmount() {
      flush();
      window.removeEventListener("popstate", pop);
      window.removeEventListener("pagehide", flush);
    },
  };
}

/** @returns {string} the address as the page writes it */
function shown() {
  return location.pathname + location.search + location.hash;
}
