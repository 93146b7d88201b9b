import { byId } from "./elements.js";

/** By what the same thing is found again once the page has been drawn anew, most telling first. */
const NAMES = ["data-map", "data-node", "data-line", "data-which", "data-act"];

/**
 * Remembers where the focus is while every view is mounted anew for another walk.
 * @param {HTMLElement} root @returns {() => void} puts it back
 */
export function rememberFocus(root) {
  const held = document.activeElement;
  if (!(held instanceof HTMLElement) || held === root || !root.contains(held)) return () => undefined;
  const places = [selectorOf(held), held.closest("#lens") ? "#lens" : "", "#step"].filter(Boolean);
  return () => {
    if (held.isConnected) return;
    const found = places.map((place) => document.querySelector(place)).find((one) => one?.checkVisibility());
    /** @type {HTMLElement} */ (found ?? byId("step")).focus({ preventScroll: true });
  };
}

/**
 * Remembers how far a pane was scrolled, and on a phone the window: what is drawn anew begins lower, for as long as it
 * isn't whole.
 * @param {HTMLElement} pane @returns {() => void} scrolls back
 */
export function rememberScroll(pane) {
  const places = [pane, document.documentElement].map((one) => /** @type {const} */ ([one, one.scrollTop]));
  return () => {
    for (const [one, top] of places) if (one.scrollTop !== top) one.scrollTop = top;
  };
}

/** @param {HTMLElement} held @returns {string} empty where nothing tells it from others */
function selectorOf(held) {
  const name = NAMES.find((one) => held.hasAttribute(one));
  const inside = held.closest("[id]")?.id;
  return name && inside ? `#${CSS.escape(inside)} [${name}="${CSS.escape(held.getAttribute(name) ?? "")}"]` : "";
}
