import { draftOf } from "../../model/editor/draft.js";
import { parseNumbersAsText } from "../../model/editor/json.js";
import { patiently, send } from "../../net/api.js";
/** @typedef {import("../../views/editor/starts.js").Start} Start */

/** @type {Promise<Start[]>|null} */
let asked = null;

/** @returns {Promise<Start[]>} fetched once; a failure is forgotten, so that the next call tries again */
export function loadStarts() {
  asked ??= fetchStarts().catch((error) => {
    asked = null;
    throw error;
  });
  return asked;
}

async function fetchStarts() {
  const { starts } = parseNumbersAsText(await (await patiently(() => send("/api/starts"))).text());
  return starts.map((/** @type {any} */ { name, title, about, request }) => ({ name, title, about, draft: draftOf(request) }));
}
