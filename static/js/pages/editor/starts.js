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
  const { starts } = await numbersAsText("/api/starts");
  return starts.map(startOf);
}

/** @param {import("../../model/copy.js").Copy} copy @returns {Promise<Start>} a lesson as a program of one's own */
export async function loadCopy({ lesson, seed }) {
  return startOf(await numbersAsText(`/api/lessons/${encodeURIComponent(lesson)}/program${seed === null ? "" : `?seed=${seed}`}`));
}

/** @param {string} path */
async function numbersAsText(path) {
  return parseNumbersAsText(await (await patiently(() => send(path))).text());
}

/** @param {any} start @returns {Start} */
function startOf({ name, title, about, request }) {
  return { name, title, about, draft: draftOf(request) };
}
