import { draftOf } from "../editor/draft.js";
import { pack } from "../editor/link.js";
import { parseNumbersAsText } from "../editor/verbatim-json.js";
import { send } from "../shared/api.js";
import { retry } from "../shared/retry.js";
import { at } from "../shared/address.js";
/**
 * What POST /api/walk is asked with, the steps to be shown, and where a step is on the Walk page.
 * @typedef {{request: string, steps: string[], link: (step: number) => string}} Live
 */

/**
 * The two lines in which an operation is shown at work.
 * @param {string} operation @param {AbortSignal} signal @returns {Promise<Live>}
 * @throws {import("../shared/api.js").ApiError}
 */
export async function requestLive(operation, signal) {
  const path = `/api/ops/${encodeURIComponent(operation)}/walk`;
  const text = await (await retry(() => send(path, { signal }), { signal })).text();
  const { walk, steps } = JSON.parse(text);
  const program = await pack(draftOf(parseNumbersAsText(text).walk));
  const from = encodeURIComponent(`/reference#${operation}`);
  return { request: JSON.stringify(walk), steps, link: (step) => at(`/code?step=${step + 1}&from=${from}${program}`) };
}
