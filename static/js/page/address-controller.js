import { trailIn } from "../walk/trail.js";
/** @typedef {import("../walk/url.js").Place} Place */
/** @typedef {Place & {trail: import("../walk/trail.js").Crumb[]}} Visit a place, and the way that led to it */

const CALM = 200;

/**
 * Keeps the address in step, so that Back is of use. A jump makes an entry of its own; of a run of steps only the first
 * does, and the others replace it: Back returns to where the run began. What replaces waits until things are calm, for
 * browsers throttle more than a few changes a second.
 * @param {{addressOf: (place: Place) => string, placeOf: (url: URL) => Place}} form how this page writes its address
 * @param {(visit: Visit) => void} returned what Back and Forward lead to
 */
export function mountAddress(form, returned) {
  const embedded = document.documentElement.dataset.embed !== undefined;
  const written = location.protocol !== "about:"; // the cell of a notebook has no address
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  /** @type {{address: string, trail: Visit["trail"]}|null} */
  let pending = null;
  let running = false;

  function flush() {
    clearTimeout(timer);
    if (written && pending !== null && pending.address !== shown())
      history.replaceState({ trail: pending.trail }, "", pending.address);
    pending = null;
  }

  /** @param {Visit} visit @returns {string} in a frame one that is shown in it when it is loaded again */
  function addressOf(visit) {
    const address = form.addressOf(visit);
    return embedded ? address.replace(/(\?.*?)?(?=#|$)/, (query) => (query ? `${query}&embed` : "?embed")) : address;
  }

  /** @param {Visit} visit */
  function replace(visit) {
    pending = { address: addressOf(visit), trail: visit.trail };
    clearTimeout(timer);
    timer = setTimeout(flush, CALM);
  }

  /** @param {Visit} visit @returns {boolean} whether it is an entry of its own */
  function push(visit) {
    running = false;
    flush();
    const address = addressOf(visit);
    if (!written || address === shown()) return false;
    const state = { trail: visit.trail };
    if (embedded)
      history.replaceState(state, "", address); // the way back is the other page's
    else history.pushState(state, "", address);
    return true;
  }

  /** @param {Visit} visit one more step of a run, or its first */
  function step(visit) {
    if (running) return replace(visit);
    running = push(visit);
  }

  /** @param {PopStateEvent} event */
  function pop(event) {
    clearTimeout(timer);
    pending = null;
    running = false;
    returned({ ...form.placeOf(new URL(location.href)), trail: trailIn(event.state) });
  }
  window.addEventListener("popstate", pop);
  window.addEventListener("pagehide", flush);
  return {
    replace,
    push,
    step,
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
