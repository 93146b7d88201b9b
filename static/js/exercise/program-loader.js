import { makeLinkLoader } from "../editor/link-loader.js";
import { bodyOf, mistakesIn } from "../editor/request.js";
import { requestTasks } from "../practice/practice-api.js";
import { ApiError } from "../shared/api.js";
import { blanksOf } from "./tasks.js";
import { requestWhole } from "../walk/walk-api.js";
import { Walk } from "../walk/walk.js";
/** @typedef {import("./tasks.js").Task} Task */
/** @typedef {import("./address.js").Subject} Subject */
/** @typedef {{walk: Walk, tasks: Task[]}} Program */

/**
 * The walk of what is practised and the gradients to be written.
 * @param {Subject} subject @param {AbortSignal} signal @returns {Promise<Program>} @throws {ApiError}
 */
export async function loadProgram(subject, signal) {
  const request = await requestOf(subject);
  const [sent, tasks] = await Promise.all([requestWhole(request, signal), requestTasks(request, signal)]);
  const walk = new Walk(sent, request);
  return { walk, tasks: blanksOf(walk, tasks) };
}

/**
 * @param {Pick<Subject, "lesson"|"seed"|"hash">} subject @returns {Promise<string>} the walk request as JSON
 * @throws {ApiError} where the program of a link is not whole
 */
export async function requestOf({ lesson, seed, hash }) {
  if (!hash) return JSON.stringify(seed === null ? { lesson } : { lesson, seed });
  const links = makeLinkLoader();
  const draft = await links.open(hash);
  if (!draft) throw refusal(links.unopened, "Or choose another program above.");
  const [mistake] = mistakesIn(draft);
  if (mistake) throw refusal(`The program is not finished: ${mistake.message}`, "Open it in Your code to mend it.");
  return bodyOf(draft);
}

/** @param {string} message @param {string} hint */
function refusal(message, hint) {
  return new ApiError({ code: "link", message, hint }, 422);
}
