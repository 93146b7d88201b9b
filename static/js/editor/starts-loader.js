import { draftOf } from "./draft.js";
import { digestOf } from "./link.js";
import { parseNumbersAsText } from "./verbatim-json.js";
import { withChanges } from "../walk/changes.js";
import { post, send } from "../shared/api.js";
import { retry } from "../shared/retry.js";
/** @typedef {import("../walk/changes.js").Change} Change */
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
 * @param {{lesson: string, seed: number|null, word?: string, changes?: Change[]}} copy
 * @param {string|null} [numbers] the request for a walk of it with other ones
 * @returns {Promise<Start>} a lesson as a program of one's own, which knows where it is from
 */
export async function loadCopy({ lesson, seed, word = "", changes = [] }, numbers = null) {
  if (changes.length || word || numbers) {
    const walk = numbers ?? JSON.stringify({ lesson, ...(seed === null ? {} : { seed }), ...(word ? { word } : {}) });
    const changed = await loadProgram(withChanges(walk, changes));
    return { ...changed, draft: { ...changed.draft, origin: { lesson, seed, digest: "" } } };
  }
  const start = startOf(
    await numbersAsText(`/api/lessons/${encodeURIComponent(lesson)}/program${seed === null ? "" : `?seed=${seed}`}`),
  );
  return { ...start, draft: { ...start.draft, origin: { lesson, seed, digest: digestOf(start.draft.tensors) } } };
}

/**
 * @param {string} walk a request, as a JSON text
 * @returns {Promise<Start>} the same without lesson, seeds and changes
 */
export async function loadProgram(walk) {
  const answer = await retry(() => post("/api/program", `{"walk":${walk}}`));
  return startOf(parseNumbersAsText(await answer.text()));
}

/** @param {string} path */
async function numbersAsText(path) {
  return parseNumbersAsText(await (await retry(() => send(path))).text());
}

/** @param {any} start @returns {Start} */
function startOf({ name, title, about, request }) {
  return { name, title, about, draft: draftOf(request) };
}
