import { fileAt } from "./address.js";
import { canonical, scopeOf } from "./recorded.js";

/** @type {Map<string, Promise<Record<string, string>>>} what was recorded about each lesson: a file for each question */
const indexes = new Map();

/**
 * The answer that was recorded to a request, in a folder with no server behind it.
 * @param {string} path @param {RequestInit} options @returns {Promise<Response>} 404 for what nobody recorded
 */
export async function recorded(path, { body = null, signal = null }) {
  const question = canonical(path, /** @type {string|null} */ (body));
  const file = (await indexOf(scopeOf(path, question)))[question];
  if (!file) return unrecorded(question);
  const [name, place] = file.split(":");
  const answer = await fetch(fileAt(`/answers/${name}.json`), { signal });
  return place && answer.ok ? Response.json((await answer.json())[Number(place)]) : answer;
}

/** @param {string} scope @returns {Promise<Record<string, string>>} */
function indexOf(scope) {
  const known = indexes.get(scope) ?? fetchIndex(scope);
  indexes.set(scope, known);
  known.catch(() => indexes.delete(scope));
  return known;
}

/** @param {string} scope @returns {Promise<Record<string, string>>} */
async function fetchIndex(scope) {
  const answer = await fetch(fileAt(`/answers/of/${encodeURIComponent(scope)}.json`));
  return answer.ok ? answer.json() : {};
}

/** What a folder can't answer is no fault. @param {string} question */
function unrecorded(question) {
  performance.mark("gradwalk:unrecorded", { detail: question });
  const message = "These pages are a recording: nothing is computed here.";
  const hint = "gradwalk on your own machine answers this: `make run`.";
  return Response.json({ error: { code: "recorded", message, hint } }, { status: 404 });
}
