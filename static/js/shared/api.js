import { patience } from "./retry.js";
/** @typedef {import("../walk/types.js").Problem} Problem */
/** @typedef {import("../walk/types.js").WalkDocument} WalkDocument */

/** What the server says when waiting helps. */
const BUSY = new Set(["busy", "warming-up", "too-many-connections"]);

/** A refusal or failure in the server's one error shape. */
export class ApiError extends Error {
  /** @param {Problem} problem @param {number} status @param {number} [retryAfter] seconds */
  constructor(problem, status, retryAfter = 1) {
    super(problem.message);
    this.problem = problem;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** @param {string} request a JSON text @param {AbortSignal} [signal] @returns {Promise<WalkDocument>} @throws {ApiError} */
export async function requestWalk(request, signal) {
  return (await patiently(() => post("/api/walk", request, signal), signal)).json();
}

/**
 * For what somebody waits for: while the server is busy with others it is asked again, and the page says so.
 * @template T
 * @param {() => Promise<T>} ask @param {AbortSignal} [signal] @returns {Promise<T>} @throws {ApiError}
 */
export function patiently(ask, signal) {
  return patience.ask(ask, (error) => (error instanceof ApiError && BUSY.has(error.problem.code) ? error.retryAfter : null), signal);
}

/** @param {string} path @param {object|string} request an object, or a JSON text @param {AbortSignal} [signal] @returns {Promise<Response>} @throws {ApiError} */
export function post(path, request, signal) {
  const body = typeof request === "string" ? request : JSON.stringify(request);
  return send(path, { method: "POST", headers: { "Content-Type": "application/json" }, body, signal });
}

/** @param {string} path @param {RequestInit} [options] @returns {Promise<Response>} one that went well @throws {ApiError} */
export async function send(path, options = {}) {
  const response = await reach(path, options);
  if (!response.ok) throw new ApiError(await problemIn(response), response.status, Number(response.headers.get("Retry-After")) || 1);
  return response;
}

/** @param {string} path @param {RequestInit} options @returns {Promise<Response>} */
async function reach(path, options) {
  try {
    return await fetch(path, options);
  } catch (error) {
    if (options.signal?.aborted) throw error;
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
