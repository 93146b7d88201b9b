import { requestTasks } from "../practice/practice-api.js";
import { requestOf } from "../subject/request-loader.js";
import { requestWhole } from "../walk/walk-api.js";
import { Walk } from "../walk/walk.js";
import { blanksOf } from "./tasks.js";
/** @typedef {import("./tasks.js").Task} Task */
/** @typedef {import("./address.js").Subject} Subject */
/** @typedef {{walk: Walk, tasks: Task[]}} Program */

/**
 * The walk of what is practised and the gradients to be written.
 * @param {Subject} subject @param {AbortSignal} signal @returns {Promise<Program>}
 * @throws {import("../shared/api.js").ApiError}
 */
export async function loadProgram(subject, signal) {
  const request = await requestOf(subject);
  const [sent, tasks] = await Promise.all([requestWhole(request, signal), requestTasks(request, signal)]);
  const walk = new Walk(sent, request);
  return { walk, tasks: blanksOf(walk, tasks) };
}
