import { post } from "../shared/api.js";
import { retry } from "../shared/retry.js";
import { saveFile } from "../shared/save-file-controller.js";

/**
 * Saves the program as a file.
 * @param {string} walk a walk request as JSON @param {string} format "py" or "ipynb"
 * @returns {Promise<string>} the file's name
 */
export async function download(walk, format) {
  const answer = await retry(() => post("/api/export", `{"walk":${walk},"format":${JSON.stringify(format)}}`));
  const { filename, media_type, text } = await answer.json();
  saveFile(text, filename, media_type);
  return filename;
}
