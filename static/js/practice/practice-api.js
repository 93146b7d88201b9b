import { post } from "../shared/api.js";
import { retry } from "../shared/retry.js";
/** @typedef {import("./attempts.js").Reply} Reply */
/** @typedef {import("./types.js").Task} Task */
/**
 * @typedef {{target: string, answer: string, hints: number, step?: number, closed?: boolean,
 *   cascade?: Record<string, string>}} Asked
 */

/**
 * @param {string} walk a walk request as JSON @param {AbortSignal} signal
 * @returns {Promise<Task[]>} in backward order @throws {import("../shared/api.js").ApiError}
 */
export async function requestTasks(walk, signal) {
  const answer = await retry(() => post("/api/practice/tasks", `{"walk":${walk}}`, signal), { signal });
  const { tasks } = await answer.json();
  return tasks;
}

/**
 * @param {string} walk a walk request as JSON @param {Asked} asked @param {AbortSignal} signal
 * @returns {Promise<Reply>} @throws {import("../shared/api.js").ApiError}
 */
export async function requestCheck(walk, asked, signal) {
  const body = `{"walk":${walk},${JSON.stringify(asked).slice(1)}`;
  return (await retry(() => post("/api/practice/check", body, signal), { signal, quiet: true })).json();
}
