import { draftOf } from "./draft.js";
import { digestOf } from "./link.js";
import { parseNumbersAsText } from "./verbatim-json.js";
import { send } from "../shared/api.js";
import { retry } from "../shared/retry.js";
/** @typedef {import("./starts-view.js").Start} Start */

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

/**
 * @param {{lesson: string, seed: number|null}} copy
 * @returns {Promise<Start>} a lesson as a program of one's own, which knows where it is from
 */
export async function loadCopy({ lesson, seed }) {
  const start = startOf(
    await numbersAsText(`/api/lessons/${encodeURIComponent(lesson)}/program${seed === null ? "" : `?seed=${seed}`}`),
  );
  return { ...start, draft: { ...start.draft, origin: { lesson, seed, digest: digestOf(start.draft.tensors) } } };
}

/** @param {string} path */
async function numbersAsText(path) {
  return parseNumbersAsText(await (await retry(() => send(path))).text());
}

/** @param {any} start @returns {Start} */
function startOf({ name, title, about, request }) {
  return { name, title, about, draft: draftOf(request) };
}
