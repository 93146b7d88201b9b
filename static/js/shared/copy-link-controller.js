import { byId } from "./dom/elements.js";

/**
 * The button that copies the address of the page.
 * @param {{show: (text: string, action: null, seconds: number) => void}} notice @param {string} opens what it opens
 * @returns {() => void} unmount
 */
export function mountCopyLink(notice, opens) {
  const button = byId("copy-link");
  async function copy() {
    try {
      await navigator.clipboard.writeText(location.href);
      notice.show(`Link copied: it opens ${opens}.`, null, 4);
    } catch {
      notice.show("Copying is not allowed here: the address bar holds the link.", null, 5);
    }
  }
  button.addEventListener("click", copy);
  return () => button.removeEventListener("click", copy);
}
