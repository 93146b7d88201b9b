import { copyShown } from "../shell/copy-link-controller.js";
import { shownTheme } from "../shell/theme-view.js";
import { USUAL_SPEED } from "../walk/tempo.js";
import { trailIn } from "../walk/trail.js";
/** @typedef {import("../walk/store.js").State} State */

/** @param {import("../walk/url.js").Place} place @returns {State} with which a page that walks begins */
export function firstState(place) {
  return { ...place, trail: trailIn(history.state), theme: shownTheme(), playing: false, speed: USUAL_SPEED };
}

/**
 * What the keys do on a page that walks.
 * @param {ReturnType<typeof import("./walk-controller.js").mountWalkController>} walk
 * @param {ReturnType<typeof import("./header-controller.js").mountHeader>} header
 * @returns {import("../shell/shell-controller.js").OwnActs<"walk">}
 */
export function walkKeys(walk, { writeIt, undo, redo }) {
  return { ...walk, writeIt, undo, redo, digit: ({ key }) => walk.digit(Number(key)), escape: walk.shut };
}

/**
 * The link to what is shown, as the address bar holds it.
 * @param {ReturnType<typeof import("./address-controller.js").mountAddress>} address
 * @param {import("../shell/notice-controller.js").Notice} notice
 * @param {string} copied what is said then @param {number} seconds
 */
export async function copyAddressBar(address, notice, copied, seconds) {
  address.flush();
  await copyShown(notice, copied, seconds, Boolean(document.documentElement.dataset.lesson));
}
