import { post } from "../shared/api.js";
import { el } from "../shared/dom/elements.js";
import { retry } from "../shared/retry.js";

/**
 * Saves the program as a file.
 * @param {string} walk a walk request as JSON @param {string} format "py" or "ipynb"
 * @returns {Promise<string>} the file's name
 */
export async function download(walk, format) {
  const answer = await retry(() => post("/api/export", `{"walk":${walk},"format":${JSON.stringify(format)}}`));
  const { filename, media_type, text } = await answer.json();
  const address = URL.createObjectURL(new Blob([text], { type: media_type }));
  const anchor = el("a", { href: address, download: filename });
  anchor.click();
  // the browser has taken hold of the blob only once the click has been handled
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return filename;
}
