import { ApiError, post } from "../shared/api.js";
import { retry } from "../shared/retry.js";
import { saveFile } from "../shared/save-file-controller.js";

/**
 * Saves a walk as a file, and says so; until then it can be called off.
 * @param {string} walk a walk request as JSON @param {string} format "py", "ipynb", "html", "nbgrader" or "otter"
 * @param {import("../shell/notice-controller.js").Notice} notice @throws {ApiError}
 */
export async function download(walk, format, notice) {
  const ending = new AbortController();
  const { signal } = ending;
  notice.show("The file is being made…", { label: "Cancel", act: () => ending.abort() }, 60);
  try {
    const body = `{"walk":${walk},"format":${JSON.stringify(format)}}`;
    const answer = await retry(() => post("/api/export", body, signal), { signal });
    const { filename, media_type, text } = await answer.json();
    saveFile(text, filename, media_type);
    const size =
      format === "html" ? `, ${Math.round(text.length / 1000)} kB: one file that opens without a server` : "";
    notice.show(`${filename} is in your downloads${size}.`, null, size ? 8 : 4);
  } catch (error) {
    if (!signal.aborted) {
      notice.hide();
      throw error;
    }
    notice.show("No file was made.", null, 4);
  }
}

/**
 * The same where the page has no other place for what went wrong.
 * @param {string} walk @param {string} format @param {import("../shell/notice-controller.js").Notice} notice
 */
export async function downloadTold(walk, format, notice) {
  try {
    await download(walk, format, notice);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    notice.fail(error, "");
  }
}
