import { copySnippet, mayBeEmbedded } from "./embedding-controller.js";
import { byId, cleanups } from "../shared/dom/elements.js";
/** @typedef {import("./notice-controller.js").Notice} Notice */

/**
 * The link to what is shown, as the address bar holds it.
 * @param {Notice} notice @param {string} copied what is said then @param {number} seconds
 * @param {boolean} [embeds] whether somebody else's page could show it in a frame
 */
export async function copyShown(notice, copied, seconds, embeds = false) {
  try {
    await navigator.clipboard.writeText(location.href);
    const frame = { label: "Copy as a frame", act: () => copySnippet(notice) };
    notice.show(copied, embeds && mayBeEmbedded ? frame : null, embeds && mayBeEmbedded ? 2 * seconds : seconds);
  } catch {
    notice.show("Copying is not allowed here: the address bar holds the link.", null, 5);
  }
}

/**
 * The button that copies the address of the page.
 * @param {Notice} notice @param {string} opens what it opens @returns {import("./types.js").Mounted}
 */
export function mountCopyLink(notice, opens) {
  const undo = cleanups();
  undo.on(byId("copy-link"), "click", () => copyShown(notice, `Link copied: it opens ${opens}.`, 4));
  return { unmount: undo.run };
}
