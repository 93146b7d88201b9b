import { USUAL_SPEED } from "./tempo.js";
import { trailIn } from "../walk/trail.js";
/** @typedef {import("../walk/store.js").State} State */

/** @param {import("../walk/url.js").Place} place @returns {State} with which a page that walks begins */
export function firstState(place) {
  const theme = document.documentElement.dataset.theme === "dark" ? "dark" : "light";
  return { ...place, trail: trailIn(history.state), theme, playing: false, speed: USUAL_SPEED };
}

/**
 * What the keys do on a page that walks.
 * @param {ReturnType<typeof import("./walk-controller.js").mountWalkController>} walk
 * @param {ReturnType<typeof import("./appearance-controller.js").mountAppearance>} appearance
 * @param {ReturnType<typeof import("./header-controller.js").mountHeader>} header
 * @param {import("../walk/store.js").Store} store
 */
export function walkKeys(walk, appearance, header, store) {
  return {
    ...walk,
    // on a projector the keys with which a remote blackens the screen do so
    backward: () => appearance.blacken() || walk.backward(),
    black: appearance.blacken,
    projector: appearance.toggleProjector,
    theme: appearance.toggleTheme,
    help: header.help,
    writeIt: header.writeIt,
    escape() {
      if (!walk.shut() && store.state.projector) appearance.toggleProjector();
    },
  };
}

/**
 * The link to what is shown, as the address bar holds it.
 * @param {ReturnType<typeof import("./address-controller.js").mountAddress>} address
 * @param {ReturnType<typeof import("../shared/notice-view.js").mountNotice>} notice
 * @param {string} copied what is said then @param {number} seconds
 */
export async function copyAddressBar(address, notice, copied, seconds) {
  address.flush();
  try {
    await navigator.clipboard.writeText(location.href);
    notice.show(copied, null, seconds);
  } catch {
    notice.show("Copying is not allowed here: the address bar holds the link.", null, 5);
  }
}
