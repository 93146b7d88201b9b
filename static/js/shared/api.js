import { isRecorded } from "./address.js";
/** @typedef {import("../walk/types.js").Problem} Problem */
/** @typedef {import("./recorded-api.js").Work} Work */

/** What a page makes of recorded answers, by the path of what it asks. @type {Map<string, Work>} */
const workedOut = new Map();

/**
 * A page that is being printed waits for nothing: while this is on, answers are there before a request returns, and
 * all that hangs on promises alone is drawn before the browser lays out the paper.
 */
export const atOnce = { on: false };

/** @param {string} path @param {Work} work where nothing was recorded, in pages with no server behind them */
export function workOut(path, work) {
  workedOut.set(path, work);
}

/** @param {number} milliseconds @returns {Promise<void>} a pause, but where nothing may be waited for */
export function calm(milliseconds) {
  return atOnce.on ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, milliseconds));
}

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

/**
 * @param {unknown} error @param {string} hint
 * @returns {ApiError} itself, or that the page could not read an answer: a mistake of ours
 */
export function asApiError(error, hint) {
  if (error instanceof ApiError) return error;
  console.error(error);
  return new ApiError({ code: "page", message: "This page could not read the server's answer.", hint }, 0);
}

/**
 * @param {string} path @param {object|string} request an object, or a JSON text @param {AbortSignal} [signal]
 * @returns {Promise<Response>} @throws {ApiError}
 */
export function post(path, request, signal) {
  const body = typeof request === "string" ? request : JSON.stringify(request);
  return send(path, { method: "POST", headers: { "Content-Type": "application/json" }, body, signal });
}

/**
 * @param {string} path @param {RequestInit} [options] @returns {Promise<Response>} one that went well
 * @throws {ApiError}
 */
export async function send(path, options = {}) {
  const response = await reach(path, options);
  if (!response.ok)
    throw new ApiError(await problemIn(response), response.status, Number(response.headers.get("Retry-After")) || 1);
  return response;
}

/** @param {string} path @param {RequestInit} options @returns {Promise<Response>} */
async function reach(path, options) {
  try {
    if (isRecorded) return await fromRecording(path, options);
    return await (atOnce.on ? fetchedNow(path, options) : fetch(path, options));
  } catch (error) {
    if (options.signal?.aborted || error instanceof ApiError) throw error;
    throw new ApiError(
      {
        code: "unreachable",
        message: "The server does not answer.",
        hint: "Is gradwalk still running? Start it again, then retry.",
      },
      0,
    );
  }
}

/** @param {string} path @param {RequestInit} options @returns {Promise<Response>} */
async function fromRecording(path, { body, signal }) {
  const { recorded } = await import("./recorded-api.js");
  return recorded(path, body, (address) => fetch(address, { signal }), workedOut.get(path));
}

/** @param {string} path @param {RequestInit} options @returns {Response} */
function fetchedNow(path, { method = "GET", headers = {}, body = null }) {
  const request = new XMLHttpRequest();
  request.open(method, path, false);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.send(/** @type {string|null} */ (body));
  const told = new Headers({ "Retry-After": request.getResponseHeader("Retry-After") ?? "" });
  const response = new Response(null, { status: request.status, headers: told });
  // a response reads its own body in a task of its own, which would be too late
  return Object.assign(response, { json: async () => JSON.parse(request.responseText) });
}

/** @param {Response} response @returns {Promise<Problem>} */
async function problemIn(response) {
  const fallback = {
    code: `http-${response.status}`,
    message: `The server answered with status ${response.status}.`,
    hint: "Retry in a moment.",
  };
  try {
    const { error } = await response.json();
    return error && typeof error.message === "string" ? error : fallback;
  } catch {
    return fallback;
  }
}
