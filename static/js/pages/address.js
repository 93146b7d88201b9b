/** @typedef {import("../model/url.js").Place} Place */

const CALM = 200;

/**
 * Keeps the address in step: stepping replaces it, once things are calm (browsers throttle more than
 * a few changes a second); a jump makes an entry so that Back returns from it.
 * @param {{addressOf: (place: Place) => string, placeOf: (url: URL) => Place}} form how this page writes its address
 * @param {(place: Place) => void} returned what Back and Forward lead to
 */
export function mountAddress(form, returned) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  /** @type {string|null} */
  let pending = null;

  function flush() {
    clearTimeout(timer);
    if (pending !== null && pending !== shown()) history.replaceState(null, "", pending);
    pending = null;
  }

  /** @param {Place} place */
  function replace(place) {
    pending = form.addressOf(place);
    clearTimeout(timer);
    timer = setTimeout(flush, CALM);
  }

  /** @param {Place} place */
  function push(place) {
    flush();
    const address = form.addressOf(place);
    if (address !== shown()) history.pushState(null, "", address);
  }

  function pop() {
    clearTimeout(timer);
    pending = null;
    returned(form.placeOf(new URL(location.href)));
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

/** @returns {string} the address as the page writes it */
function shown() {
  return location.pathname + location.search + location.hash;
}
