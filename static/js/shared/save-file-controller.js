import { el } from "./dom/elements.js";

/** @param {BlobPart} text @param {string} name of the file @param {string} type its media type */
export function saveFile(text, name, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  el("a", { href: address, download: name }).click();
  // the browser has taken hold of the blob only once the click has been handled
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
