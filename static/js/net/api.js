/** @typedef {import("../model/types.js").Problem} Problem */
/** @typedef {import("../model/types.js").WalkDocument} WalkDocument */
/** @typedef {{lesson: string, seed: number|null, exact: boolean}} WalkQuestion */

/** A refusal or failure in the server's one error shape. */
export class ApiError extends Error {
  /** @param {Problem} problem @param {number} status */
  constructor(problem, status) {
    super(problem.message);
    this.problem = problem;
    this.status = status;
  }
}

/** @param {WalkQuestion} question @param {AbortSignal} [signal] @returns {Promise<WalkDocument>} @throws {ApiError} */
export async function requestWalk(question, signal) {
  const { lesson, seed, exact } = question;
  const body = JSON.stringify(seed === null ? { lesson, exact } : { lesson, seed, exact });
  const response = await send("/api/walk", body, signal);
  if (!response.ok) throw new ApiError(await problemIn(response), response.status);
  return response.json();
}

/** @param {string} path @param {string} body @param {AbortSignal} [signal] @returns {Promise<Response>} */
async function send(path, body, signal) {
  try {
    return await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body, signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError({ code: "unreachable", message: "The server does not answer.", hint: "Is gradwalk still running? Start it again, then retry." }, 0);
  }
}

/** @param {Response} response @returns {Promise<Problem>} */
async function problemIn(response) {
  const fallback = { code: `http-${response.status}`, message: `The server answered with status ${response.status}.`, hint: "Retry in a moment." };
  try {
    const { error } = await response.json();
    return error && typeof error.message === "string" ? error : fallback;
  } catch {
    return fallback;
  }
}
