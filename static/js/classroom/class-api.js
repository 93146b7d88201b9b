import { ApiError, calm, post, send } from "../shared/api.js";
import { classPath } from "./class-path.js";
/** @typedef {import("./types.js").ClassState} ClassState */

/** Milliseconds between two questions for a state that is older than what was told, at first and at most. */
const SOON = 250;
const LATEST = 4000;

/** @param {string} address of what the class begins with @returns {Promise<{id: string, teacher: string}>} */
export async function beginClass(address) {
  await there(address);
  return (await post("/api/class", { address })).json();
}

/** @param {string} address of ours, where a class would otherwise look at the page of an error */
async function there(address) {
  try {
    if (/^\/(?!\/)/.test(address)) await send(address, { headers: { Accept: "text/html" } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    const problem = { code: "no-page", message: `There is no page at ${address}.`, hint: "Choose a lesson." };
    throw new ApiError(problem, error.status);
  }
}

/** @param {string} code @returns {Promise<string>} the name of the class that one has a seat in now */
export async function joinClass(code) {
  return (await (await post("/api/class/join", { code })).json()).id;
}

/** @param {string} name @param {string} key of the link @returns {Promise<{part: string, board: string}>} */
export async function enterClass(name, key) {
  return (await post(classPath(name, "/enter"), { key })).json();
}

/** @param {string} name @returns {Promise<ClassState>} */
export async function stateOf(name) {
  return (await send(classPath(name, "/state"))).json();
}

/**
 * @param {string} name @param {() => number} latest the number of the event that was told last
 * @returns {Promise<ClassState>} one that is as new: of several servers another one may answer, a moment behind
 */
export async function stateSince(name, latest) {
  for (let tries = 1; ; tries += 1) {
    const state = await stateOf(name);
    if (state.number >= latest()) return state;
    await calm(Math.min(LATEST, SOON * tries));
  }
}

/** @param {string} name @param {object} command @returns {Promise<Response>} */
export function tell(name, command) {
  return post(classPath(name, "/tell"), command);
}

/** @param {string} name @param {object} place in an exercise */
export async function sayWhere(name, place) {
  const headers = { "Content-Type": "application/json" };
  await send(classPath(name, "/here"), { method: "PUT", headers, body: JSON.stringify(place) });
}

/** @param {string} name @param {import("./outbox.js").Sent} answer @returns {Promise<{late: boolean}>} */
export async function sendAnswer(name, answer) {
  return (await post(classPath(name, "/answers"), answer)).json();
}

/** @param {unknown} error @returns {string} what a person is told of it */
export function sentence(error) {
  return error instanceof ApiError ? `${error.problem.message} ${error.problem.hint}` : "This page made a mistake.";
}
